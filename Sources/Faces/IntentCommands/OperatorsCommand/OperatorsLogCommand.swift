import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// `intentd operators log`: the operators' log, from the record database.
struct OperatorsLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what operators did, when and why, the newest first."
    )

    @Option(help: ArgumentHelp("Only acts of this operator.", valueName: "name"))
    var by: String?

    @Option(help: "Only acts of this kind.", transform: Self.act)
    var act: OperatorAct.Kind?

    @Option(help: "Only acts about this user.", transform: IdentityArgument.read)
    var user: String?

    @Option(help: "Only acts on this interaction.", transform: IdentityArgument.read)
    var interaction: String?

    @Option(
        help: ArgumentHelp("Only acts since a time, or a duration ago such as 1h.", valueName: "time"),
        transform: TimeArgument.read
    )
    var since: Timestamp?

    @Option(
        help: ArgumentHelp("Only acts before a time, or a duration ago.", valueName: "time"),
        transform: TimeArgument.read
    )
    var until: Timestamp?

    @Option(help: "Maximum number of acts.")
    var limit = 100

    @OptionGroup var output: JSONOption

    @OptionGroup var common: CommonOptions

    static func act(_ text: String) throws -> OperatorAct.Kind {
        if let kind = OperatorAct.Kind(rawValue: text) { return kind }
        let names = OperatorAct.Kind.allCases.map(\.rawValue)
        throw ValidationError(
            "unknown act '\(text)'\(NearMiss.hint(text, among: names)). The acts are \(names.joined(separator: ", "))"
        )
    }

    func validate() throws {
        guard self.limit > 0 else { throw ValidationError("--limit must be at least 1") }
    }

    func run() async throws {
        let configuration = try self.common.load()
        var filter = ActFilter()
        filter.by = self.by
        filter.act = self.act?.rawValue
        filter.userID = self.user.map { UserID($0) }
        filter.interactionID = self.interaction.map { InteractionID($0) }
        filter.since = self.since
        filter.until = self.until
        let acts = try await RecordArchive.open(at: configuration.data.records).acts(filter, limit: self.limit)
        if self.output.json {
            for act in acts { StandardOutput.print(act.json) }
            return
        }
        var table = Table("AT", "BY", "ACT", "USER", "INTERACTION", "TARGET", "REASON")
        for act in acts {
            table.add(
                String(act.at.description.prefix(19)),
                act.by,
                act.act,
                act.userID?.text ?? "-",
                act.interactionID?.text ?? "-",
                act.target ?? "-",
                act.reason ?? "-"
            )
        }
        table.show()
    }
}
