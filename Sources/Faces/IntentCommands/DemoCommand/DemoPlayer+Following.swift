import Foundation
import IntentEvents
import IntentKit
import IntentScenarios

extension DemoPlayer {
    /// The app does what it was asked, and reports.
    func report(_ story: DemoStory, in conversation: Conversation) async throws {
        guard var data = story.report else { return }
        data["user"] = ["id": .string(story.user)]
        self.say("the app", ["\(data["code"]?.string ?? "")"])
        try await conversation.send([conversation.makeEvent(EventType.appResponded.rawValue, data: .object(data))])
    }

    /// Shows what is reported after the end until it is over: each phase once, however often it is reported.
    func follow(_ conversation: Conversation, _ read: (JSONValue) -> DemoStory.Update?) async throws {
        var phase: String?
        while true {
            let event = try await conversation.next(timeout: Self.timeout)
            guard event.knownType == .statusUpdated, let update = read(event.data), update.phase != phase else {
                continue
            }
            phase = update.phase
            self.say("intentd", ["~ \(update.words)"])
            if update.isLast { return }
        }
    }

    /// Changes the stores during a story, as other people would; once per run.
    func change(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        _ = try await self.ledger.perform(EffectKey(request: name, name: self.run, ordinal: 0)) { store in
            try body(store)
            return .null
        }
    }
}
