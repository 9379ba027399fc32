import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
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
        let masking = self.masking.masking(configuration)
        let (letters, sent) = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let letters = try await DeadLetterBox(prefix: configuration.prefix, log: log)
                        .letters(filter.selects)
                    guard !letters.isEmpty else { return (letters, [String: InteractionID]()) }
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    return (letters, try await Redrive.sent(letters, of: deployment, on: log))
                }
        }
        func again(_ letter: DeadLetter) -> InteractionID? { sent[letter.position.description] }
        if self.output.json {
            for letter in letters {
                var members = MaskedLetter(letter, masking).summary.object ?? [:]
                members["redrivenAs"] = again(letter)?.json
                StandardOutput.print(.object(members))
            }
            return
        }
        guard !letters.isEmpty else {
            StandardError.report(filter.isEmpty ? "no dead letters" : "no dead letters match the filter")
            return
        }
        var table = Table("ID", "FAILED AT", "ERROR", "TYPE", "USER", "INTERACTION", "REDRIVEN AS", "ORIGIN", "DETAIL")
        for letter in letters {
            let summary = MaskedLetter(letter, masking).summary
            func cell(_ name: String) -> String { summary[name]?.string ?? "-" }
            table.add(
                letter.name,
                String(cell("at").prefix(19)),
                cell("error"),
                cell("type"),
                cell("user"),
                cell("interaction"),
                again(letter)?.text ?? "-",
                cell("from"),
                String(cell("detail").prefix(100))
            )
        }
        table.show()
    }
}
