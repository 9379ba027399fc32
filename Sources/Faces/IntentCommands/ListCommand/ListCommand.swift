import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRecords

/// `intentd list`: recorded interactions.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List recorded interactions, the newest first."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @Option(help: "Only interactions of this user.", transform: IdentityArgument.read)
    var user: String?

    @Option(help: "Only interactions for this intent.", transform: IdentityArgument.read)
    var intent: String?

    @Option(help: "Only interactions with this status, such as success, failure, or userConfirmationRequired.")
    var status: String?

    @Option(
        help: ArgumentHelp("Only interactions since a time, or a duration ago such as 1h.", valueName: "time"),
        transform: TimeArgument.read
    )
    var since: Timestamp?

    @Option(help: "Maximum number of interactions.")
    var limit = 50

    func validate() throws {
        guard self.limit > 0 else { throw ValidationError("--limit must be at least 1") }
    }

    func run() async throws {
        let configuration = try self.common.load()
        let filter = InteractionFilter(
            userID: self.user.map { UserID($0) },
            intent: self.intent,
            status: self.status,
            since: self.since,
            limit: self.limit
        )
        let archive = try await RecordArchive.open(at: configuration.data.records)
        let interactions = try await archive.interactions(filter)
        if self.output.json {
            let masking = self.masking.masking(configuration)
            for interaction in interactions { StandardOutput.print(masking.masked(interaction)) }
            return
        }
        var table = Table(
            "REQUESTED",
            "INTERACTION",
            "USER",
            "INTENT",
            "STATUS",
            "CODE",
            "END",
            ">TURNS",
            ">PROMPTS",
            ">MS"
        )
        for interaction in interactions {
            let style = TextStyle.output.status(interaction.status)
            table.add(
                [
                    interaction.requestedAt.map { String($0.description.prefix(19)) } ?? "-",
                    interaction.interactionID?.text ?? "-",
                    interaction.userID?.text ?? "-",
                    interaction.intent ?? "-",
                    interaction.status ?? "-",
                    interaction.code ?? "-",
                    interaction.endReason ?? "-",
                    String(interaction.turns),
                    String(interaction.prompts),
                    interaction.duration.map { String($0) } ?? "-",
                ],
                styles: [4: style, 5: style]
            )
        }
        table.show()
    }
}
