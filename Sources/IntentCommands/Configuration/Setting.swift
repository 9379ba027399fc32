/// A setting that intentd knows.
struct Setting: Hashable, Sendable {
    /// Its place in the configuration file, such as `prompts.timeout`.
    var key: String
    /// The type of its values.
    var type: SettingType
    /// Its default; nil for none.
    var defaultValue: SettingValue?
    /// Its purpose, in one line.
    var summary: String

    /// Creates a setting.
    init(_ key: String, _ type: SettingType, default defaultValue: SettingValue?, _ summary: String) {
        self.key = key
        self.type = type
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// The environment variable that sets it: `prompts.maxAttempts` is `INTENTD_PROMPTS_MAX_ATTEMPTS`.
    var environmentName: String {
        var name = "INTENTD_"
        for character in self.key {
            if character == "." {
                name += "_"
            } else if character.isUppercase {
                name += "_\(character)"
            } else {
                name += character.uppercased()
            }
        }
        return name
    }
}
