import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("R82: operators act on running interactions")
struct OperatorCommandTests {
    private struct Hiccup: TransientError {}

    /// The numbers of the attempts that were made.
    private final class Attempts: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    /// Fails once, then is done; waits at a gate where it is asked for `slow`.
    private struct Handler: IntentHandler {
        let gate: Gate
        let attempts: Attempts

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                self.attempts.numbers.withLock { $0.append(context.attempt) }
                if intent.name == "slow" { await self.gate.wait() }
                guard context.attempt > 1 || intent.name != "fails" else { throw Hiccup() }
                return self.greeting(intent)
            }
        }
    }

    /// One that waits for an hour before it tries again.
    private static let policy = RetryPolicy(
        attempts: 3,
        first: .seconds(3_600),
        factor: 1,
        longest: .seconds(3_600),
        within: .seconds(86_400)
    )

    private let gate = Gate()
    private let attempts = Attempts()

    private func with(
        _ confirmation: ConfirmationPolicy = .never,
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        let registrations = [
            IntentRegistration(confirmation: confirmation, retry: Self.policy) {
                Handler(gate: self.gate, attempts: self.attempts)
            }
        ]
        var settings = RuntimeSettings()
        settings.formats.writes = 2
        try await Pipeline.with(registrations, settings: settings) { pipeline in
            try await body(pipeline)
            try await pipeline.settle()
            #expect(try await pipeline.replayAll(registrations, settings: settings).allSatisfy(\.isMatch))
        }
    }

    @Test("R82c: an interaction that waits an hour for its next attempt begins it at once, and replays")
    func retriesNow() async throws {
        try await self.with { pipeline in
            try await pipeline.request("GreetIntent", ["name": "fails"], subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["retryUntil"] != nil)
            try await pipeline.act(.retry, on: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            #expect(self.attempts.numbers.withLock { $0 } == [1, 2])
            // There is nothing left to try.
            try await pipeline.act(.retry, on: "i1")
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
        }
    }

    @Test("R82b: a cancellation by an operator overtakes the running turn, and ends the interaction once")
    func cancelsRunning() async throws {
        try await self.with { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "i1")
            while try await !pipeline.records(of: .state)
                .contains(where: { $0.key.flatMap(StateKey.init)?.name == "parked" && $0.value != nil })
            { await Task.yield() }
            try await pipeline.act(.cancel, on: "i1")
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "abortedByOperator" && end.data["status"] == "failure")
            self.gate.open()
            try await pipeline.act(.cancel, on: "i1")
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
        }
    }

    @Test("R82a: an act on an interaction of another user, and on none, changes nothing")
    func refusesOthers() async throws {
        try await self.with(.always) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            for kind in [OperatorAct.Kind.cancel, .retry] {
                try await pipeline.act(kind, on: "i1", user: "u2")
                #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "unknown")
            }
            try await pipeline.act(.retry, on: "i1")
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
            try await pipeline.answer(prompt, [:])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
        }
    }
}
