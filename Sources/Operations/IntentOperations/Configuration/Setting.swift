package struct Setting: Hashable, Sendable {
    /// Its path in the configuration file, such as `prompts.timeout`.
    package var key: String
    package var type: SettingType
    /// Its default; nil for none.
    package var defaultValue: SettingValue?
    /// Its purpose, in one line.
    package var summary: String
    /// Its key in earlier versions, which is still accepted, with a warning, for two versions; nil if it never changed.
    package var formerKey: String?

    init(
        _ key: String,
        formerly formerKey: String? = nil,
        _ type: SettingType,
        default defaultValue: SettingValue?,
        _ summary: String
    ) {
        self.key = key
        self.formerKey = formerKey
        self.type = type
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// The environment variable that sets it: `prompts.maxAttempts` is `INTENTD_PROMPTS_MAX_ATTEMPTS`.
    var environmentName: String { Self.environmentName(of: self.key) }

    /// The environment variable of its former key.
    var formerEnvironmentName: String? { self.formerKey.map(Self.environmentName(of:)) }

    private static func environmentName(of key: String) -> String {
        var name = "INTENTD_"
        for character in key {
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
