import IntentKit
import IntentRuntime
import Logging

/// The effective configuration: each setting's value and its origin (R52).
struct Configuration: Sendable {
    /// A value with its origin.
    struct Entry<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The value.
        var value: Value
        /// The origin.
        var origin: ValueOrigin
    }

    /// The settings' values, by key; those that have neither value nor default are left out.
    var values: [String: Entry<SettingValue>] = [:]
    /// The policies that decide whether the user is asked, by intent.
    var confirmations: [String: Entry<ConfirmationPolicy>] = [:]
    /// librdkafka's properties, by name.
    var kafka: [String: KafkaProperty] = [:]
    /// Uses of settings by their former keys, to be reported to the user.
    var warnings: [String] = []
    /// The log level unless the configuration states another.
    var defaultLogLevel = Logger.Level.warning

    /// The value of a setting and its origin.
    func entry(_ setting: Setting) -> Entry<SettingValue>? {
        self.values[setting.key] ?? setting.defaultValue.map { Entry(value: $0, origin: .byDefault) }
    }

    /// The value of a setting that is a text or a choice.
    func text(_ setting: Setting) -> String? {
        if case .text(let text) = self.entry(setting)?.value { text } else { nil }
    }

    /// The address of a setting at which this process listens; nil for none.
    func listenAddress(_ setting: Setting) -> BrokerAddress? {
        if case .listen(let address) = self.entry(setting)?.value { address } else { nil }
    }

    /// The value of a setting that is a list; empty when it is not set.
    func list(_ setting: Setting) -> [String] {
        if case .list(let elements) = self.entry(setting)?.value { elements } else { [] }
    }

    /// The value of a setting that is a number and has a default.
    func integer(_ setting: Setting) -> Int {
        guard case .integer(let number) = self.entry(setting)?.value else {
            preconditionFailure("\(setting.key) is no number with a default")
        }
        return number
    }

    /// The value of a setting that is a number; nil where it is not set and has no default.
    func optionalInteger(_ setting: Setting) -> Int? {
        if case .integer(let number) = self.entry(setting)?.value { number } else { nil }
    }

    /// The value of a setting that is a duration and has a default.
    func duration(_ setting: Setting) -> Duration {
        guard case .duration(let duration) = self.entry(setting)?.value else {
            preconditionFailure("\(setting.key) is no duration with a default")
        }
        return duration
    }
}
