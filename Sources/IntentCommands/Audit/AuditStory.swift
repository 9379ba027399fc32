import IntentEvents
import IntentStore

/// Finds the records of an interaction.
enum AuditStory {
    /// The story of the latest interaction of that id.
    /// - Throws: ``CommandFailure``, `noInput` when there is none; `StoreError`.
    static func read(_ id: String, _ configuration: Configuration) async throws -> InteractionStory {
        let archive = try await RecordArchive.open(at: configuration.data.records)
        guard let story = try await archive.story(ofInteraction: InteractionID(id)) else {
            throw CommandFailure(
                .noInput,
                "\(configuration.data.records) holds no interaction \(id); `intentd list` shows those it has"
            )
        }
        return story
    }
}
