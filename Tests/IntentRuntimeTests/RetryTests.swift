import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R35: when a turn is tried again")
struct RetryTests {
    private struct BusyError: TransientError {
        var retryAfter: Duration?
    }

    private struct BusyHandler: IntentHandler {
        var retryAfter: Duration?

        var handling: Handling<GreetIntent> {
            Handle { _, context in
                let error = BusyError(retryAfter: self.retryAfter)
                try await context.run("look") { () async throws -> Void in throw error }
                return IntentResponse(code: .success)
            }
        }
    }

    private static let stored = StillTurn.stored(
        .intentConfirmed,
        ["interaction": Interaction.greeting().json, "user": ["id": "u1"]],
        on: .confirmed
    )

    /// The delay in milliseconds after that try; nil when it was the last.
    private func delay(
        after attempt: Int,
        behaviour: Int = 6,
        retryAfter: Duration? = nil,
        triedFor: Int64 = 0,
        policy: RetryPolicy? = nil
    ) async throws -> Int64? {
        let now = Timestamp(milliseconds: 100_000)
        let environment =
            try StageEnvironment.tests(
                .handle,
                [IntentRegistration(retry: policy) { BusyHandler(retryAfter: retryAfter) }],
                clock: ManualClock(at: now)
            )
            .with(behaviour: behaviour)
        let input = TurnInput(Self.stored, attempt: attempt, firstTriedAt: now + -triedFor)
        let result = try #require(
            await Turn.run(input, in: environment, source: StateTable().source(user: "u1"))
        )
        return result.retryAt.map { $0 - now }
    }

    @Test(
        "Delays double up to 4 s, half of each by chance",
        arguments: zip(1...7, [500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000] as [Int64])
    )
    func delays(attempt: Int, base: Int64) async throws {
        let delay = try #require(try await self.delay(after: attempt))
        #expect((base / 2..<base / 2 + base).contains(delay))
    }

    @Test("The eighth try is the last one", arguments: zip([6, 5], [8, 5]))
    func lastTry(behaviour: Int, tries: Int) async throws {
        #expect(try await self.delay(after: tries - 1, behaviour: behaviour) != nil)
        #expect(try await self.delay(after: tries, behaviour: behaviour) == nil)
    }

    @Test("Nothing is tried again 30 s after the first try")
    func endsWithWindow() async throws {
        #expect(try await self.delay(after: 2, triedFor: 28_000) != nil)
        #expect(try await self.delay(after: 2, triedFor: 29_600) == nil)
    }

    @Test("A service that says how long to wait is not called earlier, up to the longest delay")
    func heedsRetryAfter() async throws {
        #expect(try await self.delay(after: 1, retryAfter: .seconds(3)) == 3_000)
        #expect(try await self.delay(after: 1, retryAfter: .seconds(3_600)) == 4_000)
        let short = try #require(try await self.delay(after: 4, retryAfter: .seconds(1)))
        #expect(short >= 2_000)
        let earlier = try #require(try await self.delay(after: 1, behaviour: 5, retryAfter: .seconds(3)))
        #expect(earlier < 750)
    }

    @Test("R76: a registration sets attempts, delays and their end for handle, from behaviour 6")
    func policyOfRegistration() async throws {
        let policy = RetryPolicy(
            attempts: 20,
            first: .milliseconds(100),
            factor: 3,
            longest: .milliseconds(500),
            within: .seconds(10)
        )
        for (attempt, base) in zip(1..., [100, 300, 500, 500] as [Int64]) {
            let delay = try #require(try await self.delay(after: attempt, policy: policy))
            #expect((base / 2..<base / 2 + base).contains(delay))
        }
        #expect(try await self.delay(after: 19, policy: policy) != nil)
        #expect(try await self.delay(after: 20, policy: policy) == nil)
        #expect(try await self.delay(after: 2, triedFor: 9_900, policy: policy) == nil)
        #expect(try await self.delay(after: 5, behaviour: 5, policy: policy) == nil)
        #expect(try await self.delay(after: 1, retryAfter: .seconds(9), policy: policy) == 500)
    }

    @Test("R76: an invalid policy is refused with the reason")
    func refusesPolicies() throws {
        for (policy, text) in [
            (RetryPolicy(attempts: 0), "attempts"), (RetryPolicy(factor: 0.5), "factor"),
            (RetryPolicy(factor: .nan), "factor"), (RetryPolicy(first: .zero), "first"),
            (RetryPolicy(longest: .milliseconds(10)), "longest"), (RetryPolicy(within: .seconds(8 * 86_400)), "within"),
        ] {
            let registration = IntentRegistration(retry: policy) { GreetHandler() }
            let error = #expect(throws: IntentRegistry.ConfigurationError.self) {
                try IntentRegistry([IntentExtension("Tests") { registration }])
            }
            #expect(error?.description.contains("GreetIntent is invalid: \(text)") == true)
        }
        #expect(RetryPolicy.standard.problem == nil)
    }

    private struct PatientHandler: IntentHandler {
        var handling: Handling<GreetIntent> { Handle(timeout: .seconds(600)) { intent, _ in self.greeting(intent) } }
    }

    @Test("R32: a handler's own limit takes precedence over its extension's, in handle alone; the age bounds all")
    func timeoutOfHandle() throws {
        let registry = try IntentRegistry([
            IntentExtension("Tests", handlerTimeout: .seconds(9)) { IntentRegistration { PatientHandler() } }
        ])
        func limit(_ stage: Stage, of intent: String?, _ settings: RuntimeSettings = RuntimeSettings()) -> Duration {
            StageEnvironment(
                stage: stage,
                registry: registry,
                settings: settings,
                deployment: "d",
                prefix: "intents",
                partitions: 1,
                worker: "w"
            )
            .handlerTimeout(of: intent)
        }
        #expect(limit(.handle, of: "GreetIntent") == .seconds(600))
        #expect(limit(.confirm, of: "GreetIntent") == .seconds(9))
        #expect(limit(.handle, of: nil) == RuntimeSettings().handlerTimeout)
        var settings = RuntimeSettings()
        settings.maxAge = .seconds(60)
        #expect(limit(.handle, of: "GreetIntent", settings) == .seconds(60))
    }
}
