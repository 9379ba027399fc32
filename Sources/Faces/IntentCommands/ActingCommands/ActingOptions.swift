import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// An act on an interaction.
struct ActingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The request, if the user has several open interactions with this id.",
            valueName: "partition:offset"
        )
    )
    var request: String?

    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    /// Finds the interaction, acts, and prints where the act was written.
    func run(
        _ act: String,
        on id: String,
        of user: String?,
        _ body: (OperatorDesk, OpenInteraction) async throws -> RecordPosition
    ) async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let (interaction, position) = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    let desk = OperatorDesk(deployment, log: log, by: self.operator.value)
                    let interaction = try await desk.open(
                        InteractionID(id),
                        of: user.map { UserID($0) },
                        request: self.request.map { RequestID($0) }
                    )
                    return (interaction, try await body(desk, interaction))
                }
        }
        guard self.output.json else {
            StandardOutput.print(SafeText.line("\(interaction.id): \(act), written at \(position)"))
            return
        }
        StandardOutput.print(
            .members([
                "act": .string(act), "interaction": interaction.id.json, "user": interaction.user.json,
                "request": interaction.request?.json, "stage": .string(interaction.stage.rawValue),
                "was": .string(interaction.summary), "position": .string(position.description),
            ])
        )
    }
}
