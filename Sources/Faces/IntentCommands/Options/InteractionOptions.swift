import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRecords

/// Selects an interaction of the record database.
///
/// Clients choose the ids: several users may use one, and a user may use it again.
struct InteractionOptions: ParsableArguments {
    /// The largest number of other interactions that a message names.
    private static let named = 5

    @Argument(help: "The interaction's id (ce_subject).", transform: IdentityArgument.read)
    var interaction: String

    @Option(
        help: "The user, if several users have an interaction with this id.",
        transform: IdentityArgument.read
    )
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The partition and offset of the interaction's request.",
            valueName: "partition:offset"
        )
    )
    var request: String?

    /// The story of the latest interaction that is meant; if it is only the latest, standard error names the others.
    /// - Throws: ``OperationError``, `noInput` when there is none; `StoreError`.
    func story(_ configuration: Configuration) async throws -> InteractionStory {
        let archive = try await RecordArchive.open(at: configuration.data.records)
        let found = try await archive.interactions(ofID: InteractionID(self.interaction))
            .filter { found in
                (self.user.map { found.userID == UserID($0) } ?? true)
                    && (self.request.map { found.request == RequestID($0) } ?? true)
            }
        guard let latest = found.first, let story = try await archive.story(ofRequest: latest.position) else {
            throw OperationError(
                .noInput,
                "no interaction \(self.text) in \(configuration.data.records); `intentd list` lists recorded interactions"
            )
        }
        if found.count > 1 { StandardError.report(self.warning(found)) }
        return story
    }

    private var text: String {
        self.interaction + (self.user.map { " of user \($0)" } ?? "")
            + (self.request.map { " with the request \($0)" } ?? "")
    }

    private func warning(_ found: [RecordedInteraction]) -> String {
        let others = found.dropFirst().prefix(Self.named)
            .map { "--request \($0.request) (user \($0.userID?.text ?? "unknown"))" }
        let more = found.count - 1 - others.count
        return
            "\(found.count) interactions have the id \(self.text); this is the latest, the request \(found[0].request) of "
            + "user \(found[0].userID?.text ?? "unknown"). Select another one with "
            + others.joined(separator: ", ") + (more > 0 ? ", or one of \(more) more" : "")
    }
}
