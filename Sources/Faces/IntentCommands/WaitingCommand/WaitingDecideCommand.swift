import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd waiting decide`: decides the outcome of a post (R76).
struct WaitingDecideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide",
        abstract: "Decide what became of the post of an interaction.",
        discussion: """
            done: it was done, and the interaction ends. notDone: it was not done, and is posted once more. failed: it was \
            not done, and the interaction ends. The first decision counts.
            """
    )

    @Argument(help: "The interaction's id, as `list` shows it.", transform: IdentityArgument.read)
    var interaction: String

    @Argument(
        help: ArgumentHelp("What became of it: done, notDone or failed.", valueName: "decision"),
        transform: Self.outcome
    )
    var decision: OperatorDecision.Outcome

    @Option(
        help: "The user's id, where several users have an interaction of that id.",
        transform: IdentityArgument.read
    )
    var user: String?

    @Option(help: "The code with which it ends (default: success for done, failure for failed).")
    var code: String?

    @Option(
        help: ArgumentHelp("The details that the user sees, such as '{\"order\": 17}'.", valueName: "json"),
        transform: Self.members
    )
    var details: JSONObject?

    @Option(help: "The words for the user, in the user's language.")
    var dialog: String?

    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    static func outcome(_ text: String) throws -> OperatorDecision.Outcome {
        if let outcome = OperatorDecision.Outcome(rawValue: text) { return outcome }
        let names = OperatorDecision.Outcome.allCases.map(\.rawValue)
        throw ValidationError(
            "unknown decision '\(text)'\(NearMiss.hint(text, among: names)). "
                + "The decisions are \(names.joined(separator: ", "))"
        )
    }

    static func members(_ text: String) throws -> JSONObject {
        guard let members = (try? JSONValue(parsing: text))?.object else {
            throw ValidationError("'\(text)' is no JSON object, such as {\"order\": 17}")
        }
        return members
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        var decision = WaitingBox.Decision(self.decision)
        decision.code = self.code
        decision.details = self.details ?? [:]
        decision.dialog = self.dialog
        // A definition that cannot be read must not prevent a decision: the workers check the code as well.
        let intents = try? IntentSet(configuration)
        let position = try await LogAccess.find(configuration)
            .use { [decision] log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let box = WaitingBox(deployment, log: log)
                let waiting = try await box.interaction(
                    InteractionID(self.interaction),
                    of: self.user.map { UserID($0) }
                )
                let name = waiting.interaction.intent.name
                let codes = intents?.registry[name]?.registration.codes
                return try await box.decide(waiting, decision, codes: codes, by: self.operator.value)
            }
        guard self.output.json else {
            let text = "\(self.interaction): \(self.decision.rawValue), decided at \(position)"
            StandardOutput.print(SafeText.line(text))
            return
        }
        StandardOutput.print([
            "interaction": .string(self.interaction), "decision": .string(self.decision.rawValue),
            "decidedAt": .string(position.description),
        ])
    }
}
