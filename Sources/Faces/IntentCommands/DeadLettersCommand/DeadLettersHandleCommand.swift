import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// `intentd dead-letters handle`: marks dead letters as handled (R84e).
struct DeadLettersHandleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handle",
        abstract: "Mark dead letters as handled, with a note.",
        discussion: """
            The marks are in the operators' log. Letters that are marked already keep their mark, so an interrupted command \
            can be repeated. A redrive leaves marked letters out, unless they are named by id.
            """
    )

    @Argument(help: "The ids of dead letters, as `list` shows them.", transform: DeadLetterName.argument)
    var letters: [DeadLetterName] = []

    @Option(
        help: ArgumentHelp("What was done about them, for the operators' log.", valueName: "text"),
        transform: { try OperatorNameOption.checked($0, "the note", OperatorAct.Operator.longestReason) }
    )
    var note: String

    @OptionGroup var output: JSONOption
    @OptionGroup var filter: DeadLetterFilterOption
    @OptionGroup var name: OperatorNameOption

    @Flag(help: "Print what would be marked, and mark nothing.")
    var dryRun = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard try self.letters.isEmpty != self.filter.value.isEmpty else {
            throw ValidationError("select dead letters by id, or with filters such as --error or --unhandled")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let filter = try self.filter.value
        let access = try LogAccess.find(configuration)
        let marks = try await WorkProgress.during {
            try await access.use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let box = DeadLetterBox(prefix: configuration.prefix, log: log)
                let letters =
                    self.letters.isEmpty
                    ? try await box.list(filter, of: deployment).map(\.letter)
                    : try await box.letters(named: self.letters)
                return try await box.handle(
                    letters,
                    of: deployment,
                    isDryRun: self.dryRun,
                    by: self.name.value(self.note),
                    writer: configuration.kafkaLog(brokers: access.brokers, requestTimeout: .seconds(60))
                )
            }
        }
        for (letter, before) in marks { self.report(letter, before) }
        guard !self.output.json else { return }
        guard !marks.isEmpty else {
            StandardError.report("no dead letters match the filter")
            return
        }
        let new = marks.count { $0.before == nil }
        StandardError.report("\(self.dryRun ? "would mark" : "marked") \(new), marked before \(marks.count - new)")
    }

    private func report(_ letter: DeadLetter, _ before: LetterHandling?) {
        guard self.output.json else {
            let about = [letter.name, letter.interactionID?.text].compactMap(\.self).joined(separator: "  ")
            let text =
                before.map { "was handled \($0.summary)" }
                ?? (self.dryRun ? "would be marked as handled" : "marked as handled")
            StandardOutput.print(SafeText.line("\(about)  \(text)"))
            return
        }
        StandardOutput.print(
            .members([
                "letter": .string(letter.name),
                "interaction": letter.interactionID?.json,
                "action": .string(before != nil ? "alreadyHandled" : self.dryRun ? "wouldMark" : "marked"),
                "handled": before?.json,
            ])
        )
    }
}
