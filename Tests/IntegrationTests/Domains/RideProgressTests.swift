import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import SiriKitIntents
import Testing

/// The stage reports `inProgress` for a slow service (R32, behaviour 51).
@Suite struct RideProgressTests {
    private static let trip: JSONObject = [
        "pickupLocation": ["name": "Central Station", "latitude": 50.0, "longitude": 14.4],
        "dropOffLocation": ["name": "Opera", "latitude": 49.99, "longitude": 14.42],
    ]

    @Test(
        "A table that is slow to read: inProgress, then the result",
        arguments: [
            ("INListRideOptionsIntent", trip, "ride_surges"), ("INRequestRideIntent", trip, "ride_surges"),
            ("INGetRideStatusIntent", [:], "ride_accounts"),
        ] as [(String, JSONObject, String)]
    )
    func slowStoreReportsInProgress(intent: String, parameters: JSONObject, table: String) async throws {
        // Counting that far takes longer than `inProgressAfter`; on a machine so busy that the stage notices too late,
        // ten times as far.
        var codes: [String] = []
        for count in [3_000_000, 30_000_000, 300_000_000] where codes.count < 2 {
            codes = try await Self.codes(intent, parameters, table, countingTo: count)
            #expect(codes.last == "success")
            #expect(codes.dropLast().allSatisfy { $0 == "inProgress" })
        }
        #expect(codes.count > 1)
    }

    /// The codes that a user receives while each reader of this table must count first.
    private static func codes(
        _ intent: String,
        _ parameters: JSONObject,
        _ table: String,
        countingTo count: Int
    ) async throws -> [String] {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let configuration = Pipeline.Configuration(
            extensions: [RidesExtension.make()],
            partitions: 1,
            settings: settings
        )
        return try await Pipeline.run(on: .memory, configuration) { pipeline in
            if intent == "INGetRideStatusIntent" {
                #expect(try await Self.codes("INRequestRideIntent", Self.trip, pipeline).last == "success")
            }
            _ = try await pipeline.ledger.perform(EffectKey(request: "slow", name: "slow", ordinal: 0)) { store in
                try store.execute("ALTER TABLE \(table) RENAME TO stored", [])
                try store.execute(
                    """
                    CREATE VIEW \(table) AS SELECT * FROM (
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                        SELECT count(*) AS i FROM n
                    ) AS counted LEFT JOIN stored ON counted.i > 0
                    """,
                    []
                )
                return .null
            }
            return try await Self.codes(intent, parameters, pipeline)
        }
    }

    /// The codes that the user receives until the end, saying yes to every question.
    private static func codes(
        _ intent: String,
        _ parameters: JSONObject,
        _ pipeline: Pipeline
    ) async throws -> [String] {
        let conversation = pipeline.client.open(id: InteractionID(intent), userID: "anna")
        defer { conversation.close() }
        let request: JSONValue = [
            "intent": ["name": .string(intent), "parameters": .object(parameters)], "user": ["id": "anna"],
            "device": ["id": "phone", "locked": false],
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
            if event.data["terminal"] == true { return codes }
        }
    }
}
