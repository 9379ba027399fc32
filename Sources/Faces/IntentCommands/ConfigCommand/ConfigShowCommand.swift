import ArgumentParser
import IntentKit
import IntentOperations

/// `intentd config show`: the effective configuration, with the origin of each value.
struct ConfigShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the effective configuration and the source of each value.",
        discussion: """
            Precedence: command line, environment (INTENTD_…), config/intentd.yaml, defaults. Secrets are masked.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let rows = Self.rows(configuration)
        if self.output.json {
            let members = rows.map {
                ($0.key, ["value": $0.value, "origin": .string($0.origin.description)] as JSONValue)
            }
            StandardOutput.print(.object(Dictionary(members) { $1 }))
            return
        }
        var table = Table("SETTING", "VALUE", "FROM")
        for row in rows { table.add(row.key, row.text, row.origin.description) }
        table.show()
    }

    /// A value for display.
    struct Row: Hashable {
        var key: String
        /// The value for people.
        var text: String
        /// The value for programs.
        var value: JSONValue
        var origin: ValueOrigin
    }

    /// All values, in the order in which they are documented.
    static func rows(_ configuration: Configuration) -> [Row] {
        var rows = Setting.all.map { setting in
            let entry = configuration.entry(setting)
            return Row(
                key: setting.key,
                text: entry?.value.description ?? "-",
                value: entry?.value.json ?? .null,
                origin: entry?.origin ?? .byDefault
            )
        }
        for (name, entry) in configuration.confirmations.sorted(by: { $0.key < $1.key }) {
            let policy = entry.value.rawValue
            let key = "intents.\(name).confirmation"
            rows.append(Row(key: key, text: policy, value: .string(policy), origin: entry.origin))
        }
        for (name, property) in configuration.kafka.sorted(by: { $0.key < $1.key }) {
            let shown = property.shown
            rows.append(Row(key: "kafka.\(name)", text: shown, value: .string(shown), origin: property.origin))
        }
        return rows
    }
}
