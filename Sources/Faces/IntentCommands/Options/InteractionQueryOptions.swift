import ArgumentParser
import IntentOperations

/// Selects interactions, and the columns in which they are listed.
struct InteractionQueryOptions: ParsableArguments {
    @Option(help: "Only interactions with this text in an id, user, code or parameter.")
    var text: String?

    @Option(help: "Only interactions of this user.", transform: IdentityArgument.read)
    var user: String?

    @Option(help: "Only interactions for this intent.", transform: IdentityArgument.read)
    var intent: String?

    @Option(help: "Only interactions with this status, such as success, failure, or userConfirmationRequired.")
    var status: String?

    @Option(help: "Only interactions in this state: open, ended, queued, running, retrying, paused, awaitingUser, ….")
    var state: String?

    @Option(help: "Only interactions with this code or end reason, such as failed or timeout.")
    var code: String?

    @Option(help: "Only interactions whose last answer came from this stage.")
    var stage: String?

    @Option(help: ArgumentHelp("Only interactions since a time, or a duration ago such as 1h.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only interactions before a time, or a duration ago.", valueName: "time"))
    var until: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only interactions with this value of a searchable parameter. Can be repeated.",
            valueName: "parameter=value"
        )
    )
    var parameters: [String] = []

    @Option(
        help: ArgumentHelp(
            "The columns: requested, interaction, user, intent, status, code, end, stage, turns, prompts, ms, and "
                + "searchable parameters.",
            valueName: "name,…"
        )
    )
    var columns: String?

    /// The query; its values are checked when it is used.
    var value: InteractionQuery {
        get throws {
            var query = InteractionQuery()
            let fields: [(InteractionQuery.Field, String?)] = [
                (.text, self.text), (.user, self.user), (.intent, self.intent), (.status, self.status),
                (.state, self.state), (.code, self.code), (.stage, self.stage), (.since, self.since),
                (.until, self.until), (.columns, self.columns),
            ]
            for (field, text) in fields { query[field] = text }
            for text in self.parameters {
                guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                    throw ValidationError("--where: '\(text)' is not a condition, such as party=4")
                }
                query.require(String(text[text.index(after: equals)...]), of: String(text[..<equals]))
            }
            return query
        }
    }

    func validate() throws { _ = try self.value }
}
