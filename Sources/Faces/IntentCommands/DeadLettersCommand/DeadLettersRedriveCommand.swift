import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd dead-letters redrive`: sends the requests of dead letters again (R48).
struct DeadLettersRedriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redrive",
        abstract: "Redrive dead letters: send their requests again, as new interactions.",
        discussion: """
            A failed interaction is requested again as <id>~<n>, with its parameters. Effects that it has made are not \
            made again. Dead letters that were already redriven are skipped, so an interrupted redrive can be repeated. \
            Letters that are marked as handled are redriven only by id.

            Events that the webhook did not take are posted again from here, with the same id, those of a user in order. \
            After a post without an answer nothing more is posted. Letters whose events are taken are marked as handled.
            """
    )

    @Argument(help: "The ids of dead letters, as `list` shows them.", transform: DeadLetterName.argument)
    var letters: [DeadLetterName] = []

    @OptionGroup var output: JSONOption
    @OptionGroup var filter: DeadLetterFilterOption
    @OptionGroup var `operator`: OperatorOptions

    @Flag(help: "Redrive all dead letters.")
    var all = false

    @Flag(help: "Include dead letters that were redriven before.")
    var again = false

    @Flag(help: "Print what would be redriven, and send nothing.")
    var dryRun = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let filter = try self.filter.value
        let ways = [!self.letters.isEmpty, !filter.isEmpty, self.all].filter(\.self).count
        guard ways == 1 else {
            throw ValidationError("select dead letters by id, with --filter, or with --all")
        }
        guard filter.handled != true else {
            throw ValidationError("dead letters that are marked as handled are redriven only by id")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let filter = try self.filter.value
        let access = try LogAccess.find(configuration)
        let redrive = try await WorkProgress.during {
            try await access.use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let box = DeadLetterBox(prefix: configuration.prefix, log: log)
                let letters =
                    self.letters.isEmpty
                    ? try await box.list(filter.unhandled, of: deployment).map(\.letter)
                    : try await box.letters(named: self.letters)
                return try await box.redrive(
                    letters,
                    of: deployment,
                    configuration,
                    again: self.again,
                    isDryRun: self.dryRun,
                    by: self.operator.value,
                    writer: configuration.kafkaLog(brokers: access.brokers, requestTimeout: .seconds(60))
                )
            }
        }
        for (letter, step) in redrive.steps { self.report(letter, step) }
        if redrive.steps.isEmpty, self.letters.isEmpty {
            StandardError.report(filter.isEmpty ? "no dead letters" : "no dead letters match the filter")
        }
        try self.checkNamed(redrive)
    }

    private func report(_ letter: DeadLetter, _ step: Redrive.Step) {
        let result: (action: String, interaction: InteractionID?, reason: String?, text: String)
        switch step {
        case .send(_, let id):
            result = (
                self.dryRun ? "wouldSend" : "sent", id, nil,
                "\(self.dryRun ? "would be redriven" : "redriven") as \(id)"
            )
        case .alreadySent(let id):
            result = ("alreadySent", id, nil, "already redriven as \(id)")
        case .post:
            result = (
                self.dryRun ? "wouldPost" : "posted", nil, nil,
                self.dryRun ? "would be posted to the webhook" : "posted to the webhook"
            )
        case .impossible(let reason):
            result = ("impossible", nil, reason, "cannot be redriven: \(reason)")
        }
        guard self.output.json else {
            let about = [letter.name, letter.interactionID?.text].compactMap(\.self).joined(separator: "  ")
            StandardOutput.print(SafeText.line("\(about)  \(result.text)"))
            return
        }
        StandardOutput.print(
            .members([
                "letter": .string(letter.name),
                "interaction": letter.interactionID?.json,
                "action": .string(result.action),
                "redrivenAs": result.interaction?.json,
                "reason": result.reason.map(JSONValue.string),
            ])
        )
    }

    /// A letter that was named explicitly is meant to be sent.
    private func checkNamed(_ redrive: Redrive) throws {
        guard !self.letters.isEmpty else { return }
        let impossible = redrive.steps.filter { if case .impossible = $0.step { true } else { false } }
        guard impossible.isEmpty else {
            throw OperationError(
                .badData,
                "\(impossible.count) of \(redrive.steps.count) dead letters cannot be redriven"
            )
        }
    }
}
