import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// `intentd dead-letters list`: the dead letters in brief.
struct DeadLettersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List dead letters, the oldest first, or in groups by error and intent."
    )

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption
    @OptionGroup var filter: DeadLetterFilterOption

    @Flag(help: "Count them by error and intent, with the first and the last of each.")
    var group = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let filter = try self.filter.value
        let letters = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let box = DeadLetterBox(prefix: configuration.prefix, log: log)
                    return try await box.list(filter, of: Deployment.load(prefix: configuration.prefix, from: log))
                }
        }
        if letters.isEmpty, !self.output.json {
            StandardError.report(filter.isEmpty ? "no dead letters" : "no dead letters match the filter")
        } else if self.group {
            self.show(DeadLetterGroup.groups(letters.lazy.map(\.brief)))
        } else {
            self.show(letters, self.masking.masking(configuration))
        }
    }

    private func show(_ groups: [DeadLetterGroup]) {
        guard !self.output.json else {
            for group in groups { StandardOutput.print(group.json) }
            return
        }
        var table = Table("ERROR", "INTENT", ">COUNT", "FIRST", "LAST")
        for group in groups {
            table.add(
                group.error ?? "-",
                group.intent ?? "-",
                String(group.count),
                String(group.first.description.prefix(19)),
                String(group.last.description.prefix(19))
            )
        }
        table.show()
    }

    private func show(_ letters: [DeadLetterBox.Listed], _ masking: Masking) {
        guard !self.output.json else {
            for listed in letters {
                var letter = MaskedLetter(listed.letter, masking)
                letter.handled = listed.brief.handled
                var members = letter.summary.object ?? [:]
                members["intent"] = listed.brief.intent.map(JSONValue.string)
                members["stage"] = listed.brief.stage.map(JSONValue.string)
                members["redrivenAs"] = listed.redrivenAs?.json
                StandardOutput.print(.object(members))
            }
            return
        }
        var table = Table(
            "ID",
            "FAILED AT",
            "ERROR",
            "INTENT",
            "STAGE",
            "USER",
            "INTERACTION",
            "REDRIVEN AS",
            "HANDLED BY",
            "ORIGIN",
            "DETAIL"
        )
        for listed in letters {
            let brief = listed.brief
            table.add(
                brief.name,
                String(brief.timestamp.description.prefix(19)),
                brief.error ?? "-",
                brief.intent ?? "-",
                brief.stage ?? "-",
                brief.userID?.text ?? "-",
                brief.interactionID?.text ?? "-",
                listed.redrivenAs?.text ?? "-",
                brief.handled?.by ?? "-",
                brief.origin ?? "-",
                String((MaskedLetter(listed.letter, masking).detail ?? "-").prefix(100))
            )
        }
        table.show()
    }
}
