import ArgumentParser
import IntentEvents
import IntentKit
import IntentRuntime

/// `intentd dead-letters list`: the dead letters in brief.
struct DeadLettersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List dead letters, the oldest first."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption
    @OptionGroup var filter: DeadLetterFilterOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let filter = try self.filter.value
        let text = DeadLetterText(
            sensitive: self.masking.reveal ? nil : SensitiveParameters(try IntentSet(configuration))
        )
        let letters = try await LogAccess.find(configuration)
            .use { log in
                try await DeadLetterBox(prefix: configuration.prefix, log: log).letters(filter.selects)
            }
        if self.output.json {
            for letter in letters { StandardOutput.print(text.summary(letter)) }
            return
        }
        guard !letters.isEmpty else {
            StandardError.report(filter.isEmpty ? "there are no dead letters" : "no dead letter is like that")
            return
        }
        var table = Table("LETTER", "SINCE", "ERROR", "TYPE", "USER", "INTERACTION", "FROM", "DETAIL")
        for letter in letters {
            let summary = text.summary(letter)
            func cell(_ name: String) -> String { summary[name]?.string.map(SafeText.line) ?? "-" }
            table.add(
                letter.name,
                String(cell("at").prefix(19)),
                cell("error"),
                cell("type"),
                cell("user"),
                cell("interaction"),
                cell("from"),
                String(cell("detail").prefix(100))
            )
        }
        for line in table.lines { StandardOutput.print(line) }
    }
}
