import Dispatch
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import SiriKitIntents
import Testing

/// The stage reports `inProgress` for a slow store (R32, behaviour 51).
@Suite struct InProgressTests {
    private static let extensions = [MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make()]

    private struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var parameters: JSONObject
        var testDescription: String { self.name }
    }

    private static let money: JSONValue = ["amount": "5", "currencyCode": "EUR"]

    private static let writing = [
        Case(name: "INSendMessageIntent", parameters: ["recipients": ["Diana"], "content": "Hi"]),
        Case(
            name: "INSetMessageAttributeIntent",
            parameters: ["identifiers": ["inbox-1-anna"], "attribute": "read"]
        ),
        Case(name: "INSendPaymentIntent", parameters: ["payee": "Diana", "currencyAmount": Self.money]),
        Case(name: "INRequestPaymentIntent", parameters: ["payer": "Diana", "currencyAmount": Self.money]),
    ]

    private static let reading = [
        Case(name: "INSearchForMessagesIntent", parameters: [:]),
        Case(name: "INSearchCallHistoryIntent", parameters: [:]),
    ]

    @Test("While the store's writer is held up the user is told inProgress, then the result", arguments: writing)
    private func heldStoreWriterReportsInProgress(_ one: Case) async throws {
        let codes = try await Self.play(one) { ledger in
            let gate = DispatchSemaphore(value: 0)
            let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
            let holding = Task {
                _ = try await ledger.perform(EffectKey(request: "hold", name: "hold", ordinal: 0)) { _ in
                    held.finish()
                    gate.wait()
                    return .null
                }
            }
            for await _ in isHeld {}
            return {
                gate.signal()
                try await holding.value
            }
        }
        #expect(codes == ["inProgress", "success"])
    }

    @Test("A table that is slow to read: inProgress, then the result", arguments: reading)
    private func slowTableReadReportsInProgress(_ one: Case) async throws {
        let table = one.name == "INSearchForMessagesIntent" ? "messages" : "calls"
        let codes = try await Self.play(one) { ledger in
            _ = try await ledger.perform(EffectKey(request: "slow", name: "slow", ordinal: 0)) { store in
                // Counting that far takes any machine longer than `inProgressAfter`.
                try store.execute("ALTER TABLE \(table) RENAME TO stored", [])
                try store.execute(
                    """
                    CREATE VIEW \(table) AS SELECT * FROM stored WHERE (
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000000)
                        SELECT count(*) FROM n) > 0
                    """,
                    []
                )
                return .null
            }
            return {}
        }
        #expect(codes == ["inProgress", "success"])
    }

    /// Plays an interaction over a store that was made slow; the store is released when the user has been told.
    private static func play(
        _ one: Case,
        slowingDown slowDown: @escaping @Sendable (any EffectLedger) async throws -> () async throws -> Void
    ) async throws -> [String] {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let configuration = Pipeline.Configuration(extensions: Self.extensions, partitions: 1, settings: settings)
        return try await Pipeline.run(on: .memory, configuration) { pipeline in
            try await pipeline.ledger.addDemoData(of: Self.extensions, for: ["anna"], run: "test")
            let conversation = pipeline.client.open(id: "slow", userID: "anna")
            defer { conversation.close() }
            var release: (() async throws -> Void)? = try await slowDown(pipeline.ledger)
            let request: JSONValue = [
                "intent": ["name": .string(one.name), "parameters": .object(one.parameters)],
                "user": ["id": "anna"], "device": ["id": "phone", "locked": false],
            ]
            try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
            var codes: [String] = []
            while true {
                let event = try await conversation.next(timeout: .seconds(30))
                if event.knownType == .promptIssued {
                    let answer: JSONValue = ["user": ["id": "anna"], "promptId": event.data["promptId"] ?? .null]
                    try await conversation.send([conversation.makeEvent("prompt.answered", data: answer)])
                    continue
                }
                codes.append(event.data["code"]?.string ?? "")
                try await release?()
                release = nil
                if event.data["terminal"] == true { return codes }
            }
        }
    }
}
