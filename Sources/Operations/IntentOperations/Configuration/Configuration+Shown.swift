package import IntentKit

/// A setting for display.
package struct ShownSetting: Hashable, Sendable {
    package var key: String
    /// The value for people; of a secret, only where it comes from.
    package var text: String
    /// The value for programs.
    package var value: JSONValue
    package var origin: ValueOrigin
}

extension Configuration {
    /// All values, in the order in which they are documented.
    package var shownSettings: [ShownSetting] {
        var rows = Setting.all.map { setting in
            let entry = self.entry(setting)
            return ShownSetting(
                key: setting.key,
                text: entry?.value.description ?? "-",
                value: entry?.value.json ?? .null,
                origin: entry?.origin ?? .byDefault
            )
        }
        for (name, entry) in self.confirmations.sorted(by: { $0.key < $1.key }) {
            let policy = entry.value.rawValue
            let key = "intents.\(name).confirmation"
            rows.append(ShownSetting(key: key, text: policy, value: .string(policy), origin: entry.origin))
        }
        for (name, property) in self.kafka.sorted(by: { $0.key < $1.key }) {
            let text = property.shown
            let key = "kafka.\(name)"
            rows.append(ShownSetting(key: key, text: text, value: .string(text), origin: property.origin))
        }
        return rows
    }

    /// The settings with which a process runs and that differ from these, by key.
    ///
    /// What belongs to one process, such as the address at which it listens, differs anyway.
    package func differences(from process: RunningProcess) -> [(key: String, running: String, here: String)] {
        let own = Dictionary(self.shownSettings.map { ($0.key, $0.text) }) { first, _ in first }
        let local = [Setting.monitoringListen.key, Setting.consoleListen.key]
        return Set(own.keys).union(process.settings.keys).subtracting(local).sorted()
            .compactMap { key in
                let (running, here) = (process.settings[key] ?? "-", own[key] ?? "-")
                return running == here ? nil : (key, running, here)
            }
    }
}
