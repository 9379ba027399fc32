import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("SiriKit's behaviours: tests and shared apps")
struct SharingTests {
    @Test(
        "A test scripts the service's answers, where that is allowed (behaviour 92)",
        arguments: [true, false]
    )
    func testScriptsServiceAnswers(isScripted: Bool) async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = { _, context in .init(code: context.script == "failure" ? .failure : .success) }
            return handler
        }
        try await Pipeline.with([registration], isScripted: isScripted) { pipeline in
            try await pipeline.send(
                .intentRequested,
                subject: "i1",
                headers: [LogHeader("ce_intentdscript", "failure")],
                data: [
                    "intent": ["name": "ProbeIntent", "parameters": ["first": "a", "second": "b"]],
                    "user": ["id": "u1"],
                ]
            )
            #expect(try await pipeline.next(of: "i1").data["code"] == (isScripted ? "failure" : "success"))
        }
    }

    @Test("From any front end it is the same conversation with the same store (behaviour 93)")
    func everyFrontEndSharesConversationAndStore() async throws {
        let ledger = InMemoryLedger()
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = { _, context in
                let done = try await context.effect("deed") { _ in context.user.id }
                return .init(code: .success, details: ["done": .string(done)])
            }
            return handler
        }
        try await Pipeline.with([registration], ledger: ledger) { pipeline in
            let data: JSONValue = [
                "intent": ["name": "ProbeIntent", "parameters": ["first": "a"]], "user": ["id": "u1"],
            ]
            let home = HomePartition.of(user: "u1", count: 4)
            // A voice assistant writes headers and data; the app's own screen sends the whole event, from elsewhere.
            try await pipeline.send(.intentRequested, subject: "voice", data: data)
            let structured: JSONValue = [
                "type": "intent.requested", "subject": "screen", "source": "app", "data": data,
            ]
            try await pipeline.write(
                partition: (home + 1) % 4,
                value: structured.utf8,
                headers: [LogHeader("content-type", "application/cloudevents+json")]
            )
            var conversations: [String: [JSONValue]] = [:]
            for (subject, other) in [("voice", "screen"), ("screen", "voice")] {
                // Each may be asked here and answer there.
                let prompt = try await pipeline.next(of: InteractionID(subject))
                try await pipeline.send(
                    .promptAnswered,
                    subject: InteractionID(other),
                    data: ["user": ["id": "u1"], "promptId": prompt.data["promptId"] ?? .null, "value": "b"]
                )
                let response = try await pipeline.next(of: InteractionID(subject))
                conversations[subject] = [prompt, response]
                    .map { event in
                        .object(
                            (event.data.object ?? [:]).filter { $0.key != "promptId" && $0.key != "expiresAt" }
                        )
                    }
            }
            #expect(conversations["voice"] == conversations["screen"])
            #expect(conversations["voice"]?.last?["response"] == ["done": "u1"])
            #expect(ledger.made.count == 2)
        }
    }

    @Test("A handler reads the user's words; only the app writes them (behaviour 81)")
    func onlyAppWritesVocabulary() async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = { _, context in
                var words = context.vocabulary(.contactName)
                let heard = words.map { JSONValue.string($0.spokenPhrase) }
                // A handler only has a copy.
                words.removeAll()
                return .init(code: .success, details: ["words": .array(heard)])
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            let words: JSONValue = ["type": "contactName", "strings": ["Celestra", "Sparkle"], "user": ["id": "u1"]]
            try await pipeline.send(.vocabularyReplaced, data: words)
            for subject: InteractionID in ["i1", "i2"] {
                try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: subject)
                let response = try await pipeline.next(of: subject)
                #expect(response.data["response"]?["words"] == ["Celestra", "Sparkle"])
            }
            let written = try await pipeline.records(of: .state)
                .filter { $0.key.flatMap(StateKey.init)?.name.hasPrefix(StateName.vocabularies) ?? false }
            // Each stage wrote it when the app's event came, and never again.
            #expect(written.count == Stage.allCases.count)
        }
    }
}
