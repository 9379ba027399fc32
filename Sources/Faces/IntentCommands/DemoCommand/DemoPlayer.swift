import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import IntentScenarios

/// Plays stories through the real pipeline and prints each conversation as it happens.
struct DemoPlayer {
    let client: ConversationClient
    /// The store of the handlers.
    let ledger: any EffectLedger
    /// The extensions, with the data that their apps would have stored.
    let extensions: [IntentExtension]
    /// Puts events in words.
    let text: ConversationText
    /// Distinguishes this run of the demo from others on the same topics.
    let run: String

    static let timeout = Duration.seconds(30)

    /// Plays a story to its end.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - number: Its number, from 1.
    /// - Returns: The interaction's id.
    /// - Throws: ``Conversation/Failure`` when no event comes; ``OperationError`` when the story takes another course.
    func play(_ story: DemoStory, number: Int) async throws -> String {
        StandardOutput.print("── \(story.title) ──")
        try await self.prepare(story)
        let id = "demo-\(self.run)-\(number)"
        let conversation = self.client.open(id: InteractionID(id), userID: UserID(story.user))
        defer { conversation.close() }
        self.say(story.user, [story.words])
        let user: JSONValue = ["id": .string(story.user)]
        let request: JSONValue = .members([
            "intent": story.intent.json, "user": user,
            "device": story.isUnlocked ? ["id": "phone", "locked": false] : nil,
        ])
        try await conversation.send([conversation.makeEvent(EventType.intentRequested.rawValue, data: request)])
        var replies = story.replies[...]
        while true {
            let event = try await conversation.next(timeout: Self.timeout)
            self.say("intentd", self.text.lines(event))
            if event.data["terminal"]?.bool ?? false { break }
            if event.data["code"] == "handleInApp" { try await self.report(story, in: conversation) }
            guard event.knownType == .promptIssued else { continue }
            guard let reply = replies.popFirst() else {
                throw OperationError(.internalError, "the story has no answer to \(event.data["dialog"]?.string ?? "")")
            }
            if let meanwhile = reply.meanwhile { try await self.change("\(id) meanwhile", meanwhile) }
            self.say(story.user, [reply.words])
            var data = reply.data
            data["promptId"] = event.data["promptId"]
            data["user"] = user
            try await conversation.send([
                conversation.makeEvent(EventType.promptAnswered.rawValue, data: .object(data))
            ])
        }
        if let update = story.update { try await self.follow(conversation, update) }
        StandardOutput.print("")
        return id
    }

    func say(_ who: String, _ lines: [String]) {
        let name = who.padding(toWidth: 9)
        let wrap = WordWrap(width: WordWrap.output.width.map { $0 - 9 })
        for (index, line) in lines.flatMap(wrap.lines).enumerated() {
            StandardOutput.print("\(index == 0 ? name : String(repeating: " ", count: 9))\(line)")
        }
    }

    /// Prepares the stores for the story; each step is an effect of its own, performed once per run.
    private func prepare(_ story: DemoStory) async throws {
        try await self.ledger.addDemoData(of: self.extensions, for: [story.user], run: self.run)
        let key = EffectKey(request: "demo-\(self.run)", name: "\(story.user): \(story.title)", ordinal: 0)
        _ = try await self.ledger.perform(key) { store in
            try story.prepare(store)
            return .null
        }
    }
}

extension String {
    /// The text followed by spaces, at least one.
    func padding(toWidth width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - self.count))
    }
}
