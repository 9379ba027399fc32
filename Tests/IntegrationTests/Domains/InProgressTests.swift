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
    private static let extensions = [
        MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make(), RidesExtension.make(),
    ]

    private struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var parameters: JSONObject
        /// The table that is slow to read.
        var table = ""
        /// Whether the user requests a ride before that.
        var isAfterRide = false
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

    private static let trip: JSONObject = [
        "pickupLocation": ["name": "Central Station", "latitude": 50.0, "longitude": 14.4],
        "dropOffLocation": ["name": "Opera", "latitude": 49.99, "longitude": 14.42],
    ]

    private static let reading = [
        Case(name: "INSearchForMessagesIntent", parameters: [:], table: "messages"),
        Case(name: "INSearchCallHistoryIntent", parameters: [:], table: "calls"),
        Case(name: "INListRideOptionsIntent", parameters: Self.trip, table: "ride_surges"),
        Case(name: "INRequestRideIntent", parameters: Self.trip, table: "ride_surges"),
        Case(name: "INGetRideStatusIntent", parameters: [:], table: "ride_accounts", isAfterRide: true),
    ]

    @Test("While the store's writer is held up the user is told inProgress, then the result", arguments: writing)
    private func heldStoreWriterReportsInProgress(_ one: Case) async throws {
        let codes = try await Self.run { pipeline in
            let gate = DispatchSemaphore(value: 0)
            let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
            let ledger = try pipeline.ledger
            async let holding = ledger.perform(EffectKey(request: "hold", name: "hold", ordinal: 0)) { _ in
                held.finish()
                gate.wait()
                return .null
            }
            defer { gate.signal() }
            for await _ in isHeld {}
            let codes = try await Self.ask(one.name, one.parameters, pipeline.client) { gate.signal() }
            _ = try await holding
            return codes
        }
        #expect(codes == ["inProgress", "success"])
    }

    @Test("A table that is slow to read: inProgress, then the result", arguments: reading)
    private func slowTableReadReportsInProgress(_ one: Case) async throws {
        // Counting that far takes longer than `inProgressAfter`; on a machine so busy that the stage notices too late,
        // ten times as far.
        var codes: [String] = []
        for count in [3_000_000, 30_000_000, 300_000_000] where codes.count < 2 {
            codes = try await Self.run { pipeline in
                if one.isAfterRide { _ = try await Self.ask("INRequestRideIntent", Self.trip, pipeline.client) {} }
                _ = try await pipeline.ledger.perform(EffectKey(request: "slow", name: "slow", ordinal: 0)) { store in
                    try store.execute("ALTER TABLE \(one.table) RENAME TO stored", [])
                    try store.execute(
                        """
                        CREATE VIEW \(one.table) AS SELECT stored.* FROM (
                            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                            SELECT count(*) AS i FROM n
                        ) AS counted LEFT JOIN stored ON counted.i > 0
                        """,
                        []
                    )
                    return .null
                }
                return try await Self.ask(one.name, one.parameters, pipeline.client) {}
            }
            #expect(codes.last == "success")
            #expect(codes.dropLast().allSatisfy { $0 == "inProgress" })
        }
        #expect(codes.count > 1)
    }

    /// Runs a pipeline that reports `inProgress` soon.
    private static func run(_ body: @Sendable (Pipeline) async throws -> [String]) async throws -> [String] {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let configuration = Pipeline.Configuration(extensions: Self.extensions, partitions: 1, settings: settings)
        return try await Pipeline.run(on: .memory, configuration) { pipeline in
            try await pipeline.ledger.addDemoData(of: Self.extensions, for: ["anna"], run: "test")
            return try await body(pipeline)
        }
    }

    /// Asks for an intent, and says yes to every question.
    ///
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - parameters: Its parameters.
    ///   - client: The client.
    ///   - respond: Called with each response.
    /// - Returns: The codes of the responses.
    /// - Throws: What the client throws.
    private static func ask(
        _ intent: String,
        _ parameters: JSONObject,
        _ client: ConversationClient,
        responding respond: () -> Void
    ) async throws -> [String] {
        let conversation = client.open(id: InteractionID(intent), userID: "anna")
        defer { conversation.close() }
        let request: JSONValue = [
            "intent": ["name": .string(intent), "parameters": .object(parameters)],
            "user": ["id": "anna"], "device": ["id": "phone", "locked": false],
        ]
        try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
        var codes: [String] = []
        while true {
            let event = try await conversation.next(timeout: .seconds(60))
            if event.knownType == .promptIssued {
                let answer: JSONValue = ["user": ["id": "anna"], "promptId": event.data["promptId"] ?? .null]
                try await conversation.send([conversation.makeEvent("prompt.answered", data: answer)])
                continue
            }
            guard event.knownType == .intentResponded else { continue }
            codes.append(event.data["code"]?.string ?? "")
            respond()
            if event.data["terminal"] == true { return codes }
        }
    }
}
