import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("SiriKit's behaviours: locks and consent")
struct ConsentTests {
    private static let locked: JSONObject = ["device": ["id": "d1", "locked": true]]

    private static func resolvesNothing(_ log: CallLog) -> Bool { log.all.isEmpty }

    @Test("The user is asked to unlock before a handler runs (behaviour 83)")
    func asksToUnlockBeforeHandlerRuns() async throws {
        let log = CallLog()
        try await Pipeline.with(
            [IntentRegistration { ProbeHandler(log: log) }],
            restrictedWhileLocked: ["ProbeIntent"]
        ) { pipeline in
            try await pipeline.request(
                "ProbeIntent",
                ["first": "a", "second": "b"],
                subject: "i1",
                extra: Self.locked
            )
            #expect(try await pipeline.next(of: "i1").data["kind"] == "unlockRequired")
            #expect(Self.resolvesNothing(log))
            try await pipeline.send(.deviceUnlocked, data: ["user": ["id": "u1"], "device": ["id": "d1"]])
            #expect(try await pipeline.next(of: "i1").data["status"] == "success")
            #expect(log.all == ["resolve first a", "resolve second b", "confirm", "handle"])
        }
    }

    @Test("Financial intents are locked although nothing declares it (behaviour 84)", arguments: [true, false])
    func financialIntentsAreLockedByDefault(isFinancial: Bool) async throws {
        let log = CallLog()
        let registration = IntentRegistration(isFinancial: isFinancial) { ProbeHandler(log: log) }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request(
                "ProbeIntent",
                ["first": "a", "second": "b"],
                subject: "i1",
                extra: Self.locked
            )
            let event = try await pipeline.next(of: "i1")
            #expect((event.data["kind"] == "unlockRequired") == isFinancial)
            #expect(Self.resolvesNothing(log) == isFinancial)
        }
    }

    @Test(
        "Without the user's consent nothing is asked or done (behaviour 85)",
        arguments: RequestingUser.Authorization.allCases
    )
    func withoutConsentNothingIsAskedOrDone(_ authorization: RequestingUser.Authorization) async throws {
        let log = CallLog()
        try await Pipeline.with([IntentRegistration { ProbeHandler(log: log) }]) { pipeline in
            try await pipeline.request(
                "ProbeIntent",
                ["first": "a", "second": "b"],
                subject: "i1",
                extra: ["user": ["authorization": .string(authorization.rawValue)]]
            )
            let response = try await pipeline.next(of: "i1")
            let isAuthorized = authorization == .authorized
            #expect(response.data["endReason"] == (isAuthorized ? "nominal" : "notAuthorized"))
            #expect(response.data["status"] == (isAuthorized ? "success" : "failure"))
            #expect(log.all.isEmpty == !isAuthorized)
        }
    }

    @Test("A device that does not say whether it is locked counts as locked (behaviour 83)")
    func unknownLockStateCountsAsLocked() async throws {
        let log = CallLog()
        try await Pipeline.with(
            [IntentRegistration { ProbeHandler(log: log) }],
            restrictedWhileLocked: ["ProbeIntent"]
        ) { pipeline in
            try await pipeline.request(
                "ProbeIntent",
                ["first": "a", "second": "b"],
                subject: "i1",
                extra: ["device": ["id": "d1"]]
            )
            #expect(try await pipeline.next(of: "i1").data["kind"] == "unlockRequired")
            #expect(Self.resolvesNothing(log))
        }
    }
}
