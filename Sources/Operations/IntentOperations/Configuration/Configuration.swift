package import IntentKit
package import Logging

/// The effective configuration: each setting's value and its origin (R52).
package struct Configuration: Sendable {
    /// A value with its origin.
    package struct Entry<Value: Hashable & Sendable>: Hashable, Sendable {
        package var value: Value
        package var origin: ValueOrigin

        package init(value: Value, origin: ValueOrigin) {
            self.value = value
            self.origin = origin
        }
    }

    /// The settings' values, by key; those that have neither value nor default are left out.
    package var values: [String: Entry<SettingValue>] = [:]
    /// The policies that decide whether the user is asked, by intent.
    package var confirmations: [String: Entry<ConfirmationPolicy>] = [:]
    /// librdkafka's properties, by name.
    package var kafka: [String: KafkaProperty] = [:]
    /// The file that was read, or would be if it existed; nil for none.
    package var file: String?
    /// Uses of settings by their former keys, to be reported to the user.
    package var warnings: [String] = []
    /// The log level unless the configuration states another.
    package var defaultLogLevel = Logger.Level.warning

    /// The defaults alone.
    package init() {}

    /// The value of a setting and its origin.
    package func entry(_ setting: Setting) -> Entry<SettingValue>? {
        self.values[setting.key] ?? setting.defaultValue.map { Entry(value: $0, origin: .byDefault) }
    }

    /// The value of a setting that is a text or a choice.
    package func text(_ setting: Setting) -> String? {
        if case .text(let text) = self.entry(setting)?.value { text } else { nil }
    }

    /// The address of a setting at which this process listens; nil for none.
    package func listenAddress(_ setting: Setting) -> BrokerAddress? {
        if case .listen(let address) = self.entry(setting)?.value { address } else { nil }
    }

    /// The value of a setting that is a list; empty when it is not set.
    package func list(_ setting: Setting) -> [String] {
        if case .list(let elements) = self.entry(setting)?.value { elements } else { [] }
    }

    /// The value of a setting that is a number and has a default.
    package func integer(_ setting: Setting) -> Int {
        guard case .integer(let number) = self.entry(setting)?.value else {
            preconditionFailure("\(setting.key) is not a number with a default")
        }
        return number
    }

    /// The value of a setting that is a number; nil where it is not set and has no default.
    func optionalInteger(_ setting: Setting) -> Int? {
        if case .integer(let number) = self.entry(setting)?.value { number } else { nil }
    }

    /// The value of a setting that is a duration and has a default.
    package func duration(_ setting: Setting) -> Duration {
        guard case .duration(let duration) = self.entry(setting)?.value else {
            preconditionFailure("\(setting.key) is not a duration with a default")
        }
        return duration
    }
}
