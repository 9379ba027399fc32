import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Interactions that wait for an unlocked device or a sign-in")
struct WaitingTests {
    /// Requires the user to be signed in.
    private struct SignedInHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Confirm(self.confirm)
            Handle(self.handle)
        }

        func confirm(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            context.user.isAuthenticated ? IntentResponse(code: .ready) : .authenticationRequired()
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            self.greeting(intent)
        }
    }

    private let days = Duration.seconds(3 * 86_400)

    @Test("R26: unlocking the same device continues, days and restarts later; another device does not (behaviour 83)")
    func unlockContinuesDaysLater() async throws {
        let registration = IntentRegistration { GreetHandler() }
        try await Pipeline.with([registration], restrictedWhileLocked: ["GreetIntent"]) { pipeline in
            let device: JSONValue = ["id": "phone", "locked": true]
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1", extra: ["device": device])
            #expect(try await pipeline.next(of: "i1").data["kind"] == "unlockRequired")
            await pipeline.restartWorkers(after: self.days)
            try await pipeline.send(.deviceUnlocked, data: ["user": ["id": "u1"], "device": ["id": "tablet"]])
            // The tablet has changed nothing: an answer to the next request comes first.
            let unlocked: JSONValue = ["id": "watch", "locked": false]
            try await pipeline.request("GreetIntent", ["name": "Ann"], subject: "i2", extra: ["device": unlocked])
            #expect(try await pipeline.next { _ in true }.subject == "i2")
            #expect(try await self.resumptions(pipeline) == 0)
            try await pipeline.send(.deviceUnlocked, data: ["user": ["id": "u1"], "device": ["id": "phone"]])
            let response = try await pipeline.next { _ in true }
            #expect(response.subject == "i1")
            #expect(response.data["response"]?["greeting"] == "Hello, Jeff")
            #expect(try await self.resumptions(pipeline) == 1)
        }
    }

    /// The number of times that an interaction was asked to continue; its answer would come too late to decide it.
    private func resumptions(_ pipeline: Pipeline) async throws -> Int {
        try await pipeline.records(of: .signals)
            .count { $0.header("ce_type") == EventType.interactionResumed.rawValue }
    }

    @Test("R26: a sign-in from another device continues, days and restarts later; after a week it is too late")
    func signInContinuesDaysLater() async throws {
        try await Pipeline.with([IntentRegistration { SignedInHandler() }]) { pipeline in
            let user: JSONValue = ["authenticated": false]
            for (subject, name) in [("i1", "u1"), ("i2", "u2")] as [(InteractionID, UserID)] {
                try await pipeline.request("GreetIntent", user: name, subject: subject, extra: ["user": user])
                #expect(try await pipeline.next(of: subject).data["kind"] == "authenticationRequired")
            }
            await pipeline.restartWorkers(after: self.days)
            try await pipeline.send(.userAuthenticated, user: "u1", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.next { _ in true }.subject == "i1")
            await pipeline.restartWorkers(after: self.days + self.days)
            let late = try await pipeline.next { _ in true }
            #expect(late.subject == "i2")
            #expect(late.data["endReason"] == "timeout")
        }
    }
}
