import ArgumentParser
import IntentAudit
import IntentEvents

/// The turns that a replay runs again (R43).
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Turns journaled since a time, or a duration ago such as 1h.", valueName: "time"),
        transform: TimeArgument.read
    )
    var since: Timestamp?

    @Option(
        help: ArgumentHelp("Turns journaled before a time, or a duration ago.", valueName: "time"),
        transform: TimeArgument.read
    )
    var until: Timestamp?

    @Option(help: "Turns from this journal offset, in every partition.")
    var fromOffset: Int64?

    @Option(help: "Turns before this journal offset.")
    var toOffset: Int64?

    @Option(help: "Turns of this partition.")
    var partition: Int?

    @Option(help: "Turns of the interaction with this id.", transform: IdentityArgument.read)
    var interaction: String?

    @Option(help: "Turns of this user's events.", transform: IdentityArgument.read)
    var user: String?

    @Option(help: "Turns of this stage: resolve, confirm or handle.", transform: Self.stage)
    var stage: Stage?

    var selection: ReplaySelection {
        var selection = ReplaySelection()
        selection.since = self.since
        selection.until = self.until
        selection.fromOffset = self.fromOffset
        selection.toOffset = self.toOffset
        selection.partition = self.partition
        selection.interaction = self.interaction.map { InteractionID($0) }
        selection.user = self.user.map { UserID($0) }
        selection.stage = self.stage
        return selection
    }

    /// Whether everything is selected.
    var isEmpty: Bool { self.selection == ReplaySelection() }

    func validate() throws {
        for (name, offset) in [("--from-offset", self.fromOffset), ("--to-offset", self.toOffset)] {
            if let offset, offset < 0 { throw ValidationError("\(name) is 0 or more, not \(offset)") }
        }
        if let since, let until, since >= until { throw ValidationError("--since must be before --until") }
    }

    private static func stage(_ text: String) throws -> Stage {
        guard let stage = Stage(rawValue: text) else {
            throw ValidationError("unknown stage '\(text)': use resolve, confirm or handle")
        }
        return stage
    }
}
