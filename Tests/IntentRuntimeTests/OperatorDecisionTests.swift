import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R76: an operator decides the outcome of a post")
struct OperatorDecisionTests {
    private static let key = RedriveKey(secret: String(repeating: "ab", count: 32), starts: [:])

    /// The event of a decision about the wait after the first attempt.
    private static func event(
        _ outcome: OperatorDecision.Outcome,
        code: String? = nil,
        on topic: Topic = .confirmed,
        _ change: (inout OperatorDecision) -> Void = { _ in },
        forge: (inout Event) -> Void = { _ in }
    ) -> TurnInput {
        var decision = OperatorDecision(outcome, request: "0:7", attempts: 1, code: code)
        change(&decision)
        var event = decision.event(about: "i1", of: "u1", key: Self.key, now: StillTurn.start)
        forge(&event)
        return TurnInput(event.stored(on: topic, partition: 0, offset: 95))
    }

    /// A state in which the interaction waits for an operator.
    private static func waiting(_ registration: IntentRegistration) async throws -> StateTable {
        let table = StateTable()
        let result = try await LookupTests.run(TurnInput(LookupTests.confirmed()), registration, table)
        #expect(result.asksOperator)
        #expect(try LookupTests.wait(table).reason == .operator)
        return table
    }

    private static func decide(
        _ input: TurnInput,
        _ registration: IntentRegistration,
        _ table: StateTable
    ) async throws -> TurnResult {
        try await LookupTests.run(input, registration, table, key: Self.key)
    }

    @Test("waiting for an operator, done → ended with the code, the details and the words of the operator")
    func operatorDecidesDone() async throws {
        let service = LookupTests.Service(.unknown)
        let registration = LookupTests.registration(service)
        let table = try await Self.waiting(registration)
        let event = Self.event(.done, code: "success") { decision in
            decision.details = ["order": 17]
            decision.dialog = "It is booked."
        }
        let result = try await Self.decide(event, registration, table)
        #expect(result.record.outcome == .ended && result.end?.reason == .nominal)
        #expect(result.record.isDecided == true && !result.asksOperator)
        #expect(result.awaited?.state == .awaitingOperator)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["response"] == ["order": 17] && response["dialog"] == "It is booked.")
        #expect(table.entry(.interaction("0:7"), user: "u1") == nil)
        #expect(service.calls == ["handle"])
    }

    @Test("waiting for an operator, failed → ended with the failure")
    func operatorDecidesFailed() async throws {
        let registration = LookupTests.registration(LookupTests.Service(.unknown))
        let table = try await Self.waiting(registration)
        let result = try await Self.decide(Self.event(.failed, code: "failure"), registration, table)
        #expect(result.record.outcome == .ended && result.end?.reason == .failed)
    }

    @Test("waiting for an operator, notDone → posted once more without a lookup, then looked up as before")
    func operatorDecidesNotDone() async throws {
        let service = LookupTests.Service(.unknown, .breaks, .done)
        let registration = LookupTests.registration(service)
        let table = try await Self.waiting(registration)
        let result = try await Self.decide(Self.event(.notDone), registration, table)
        #expect(result.end == nil && result.failure?.isFinal == false)
        #expect(service.calls == ["handle", "handle"])
        let wait = try LookupTests.wait(table)
        #expect(wait.reason == .retry && wait.attempts == 2)
        #expect(Set(wait.steps.map(\.name)) == ["service.post", "service.post.notDone"])
        #expect(try await LookupTests.runTimer(registration, table).end?.reason == .nominal)
        #expect(service.calls == ["handle", "handle", "lookup"])
    }

    @Test("waiting for an operator, notDone, the request has expired → ended with timeout, nothing is posted")
    func expiredIsNotPostedAgain() async throws {
        let service = LookupTests.Service(.unknown)
        let registration = LookupTests.registration(service)
        let table = StateTable()
        let confirmed = LookupTests.confirmed { $0.expiresAt = StillTurn.start + 2_000 }
        _ = try await LookupTests.run(TurnInput(confirmed), registration, table)
        let result = try await LookupTests.run(
            Self.event(.notDone),
            registration,
            table,
            at: StillTurn.start + 3_000,
            key: Self.key
        )
        #expect(result.end?.reason == .timeout && service.calls == ["handle"])
    }

    /// Makes another decision of an event, under the proof of the first one.
    private static func turnIntoDone(_ event: inout Event) {
        var members = event.data.object ?? [:]
        members["decision"] = "done"
        members["code"] = "success"
        event.data = .object(members)
    }

    @Test("A decision without proof, or about something else, is rejected and changes nothing")
    func decisionWithoutProof() async throws {
        let service = LookupTests.Service(.unknown)
        let registration = LookupTests.registration(service)
        let table = try await Self.waiting(registration)
        func expect(
            _ reason: String,
            _ input: TurnInput,
            isProved: Bool?,
            _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let result = try await Self.decide(input, registration, table)
            #expect(result.record.outcome == .rejected && result.writes.isEmpty, sourceLocation: location)
            let rejection = try LookupTests.rejection(result)
            #expect(rejection == .string(reason), sourceLocation: location)
            #expect(result.record.isDecided == isProved, sourceLocation: location)
        }
        try await expect("invalid", Self.event(.done, code: "success", forge: { $0.id = "e1" }), isProved: false)
        try await expect("invalid", Self.event(.done, code: "success", forge: { $0.subject = "i2" }), isProved: false)
        try await expect("invalid", Self.event(.notDone, forge: Self.turnIntoDone), isProved: false)
        let empty: JSONValue = ["user": ["id": "u1"]]
        try await expect("invalid", Self.event(.done, code: "success", forge: { $0.data = empty }), isProved: nil)
        try await expect("late", Self.event(.done, code: "success", { $0.attempts = 2 }), isProved: true)
        try await expect("late", Self.event(.done, code: "success", { $0.request = "0:8" }), isProved: true)
        for code in ["failure", "inProgress", "odd", nil] {
            try await expect("invalid", Self.event(.done, code: code), isProved: true)
        }
        try await expect("invalid", Self.event(.failed, code: "success"), isProved: true)
        let withoutKey = try await LookupTests.run(Self.event(.done, code: "success"), registration, table)
        #expect(withoutKey.record.outcome == .rejected && withoutKey.record.isDecided == false)
        #expect(try LookupTests.wait(table).reason == .operator)
        #expect(service.calls == ["handle"])
        let retried = StateTable()
        let breaking = LookupTests.registration(LookupTests.Service(.breaks))
        _ = try await LookupTests.run(TurnInput(LookupTests.confirmed()), breaking, retried)
        let early = try await Self.decide(Self.event(.done, code: "success"), breaking, retried)
        #expect(try LookupTests.rejection(early) == "late")
        let unknown = try await Self.decide(Self.event(.done, code: "success"), registration, StateTable())
        #expect(try LookupTests.rejection(unknown) == "unknown")
    }

    @Test("A second decision about the same wait is late", arguments: [OperatorDecision.Outcome.done, .notDone])
    func operatorDecidesTwice(first: OperatorDecision.Outcome) async throws {
        let service = LookupTests.Service(.unknown, .unknown)
        let registration = LookupTests.registration(service)
        let table = try await Self.waiting(registration)
        let event = Self.event(first, code: first == .done ? "success" : nil)
        let result = try await Self.decide(event, registration, table)
        // After notDone the outcome is unknown again; the user was notified before.
        #expect(result.record.outcome == (first == .done ? .ended : .noted))
        let again = try await Self.decide(event, registration, table)
        #expect(try LookupTests.rejection(again) == "late")
        #expect(service.calls == (first == .done ? ["handle"] : ["handle", "handle"]))
    }

    @Test(
        "The stages before handle forward a decision that is proved, and no other",
        arguments: [Stage.resolve, .confirm]
    )
    func earlierStagesForward(stage: Stage) async throws {
        let topic = stage.inputTopic
        let environment = try StageEnvironment.tests(stage, [LookupTests.registration(LookupTests.Service())])
            .with(redrive: .key(Self.key))
        for isForged in [false, true] {
            let input = Self.event(.notDone, on: topic, forge: { if isForged { $0.id = "e1" } })
            let turn = await Turn.run(input, in: environment, source: StateTable().source(user: "u1"))
            let result = try #require(turn)
            #expect(result.record.outcome == (isForged ? .rejected : .forwarded))
            #expect(result.record.isDecided == !isForged)
        }
    }

    @Test(
        "In the pipeline: unknown, the operator decides, and the user is notified; it replays",
        .timeLimit(.minutes(1))
    )
    func pipelineCarriesDecisions() async throws {
        let service = LookupTests.Service(.unknown)
        let registrations = [LookupTests.registration(service)]
        try await Pipeline.with(registrations, settings: LookupTests.settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1")
            let notice = try await pipeline.next(of: "i1")
            #expect(notice.data["status"] == "inProgress")
            let entry = try #require(
                try await pipeline.records(of: .state)
                    .last { $0.key.flatMap(StateKey.init)?.name.hasPrefix(StateName.interactions) ?? false }?
                    .value
            )
            let interaction = try #require(Interaction(text: entry))
            let wait = try #require(interaction.waiting)
            let decision = OperatorDecision(
                .done,
                request: interaction.request,
                attempts: wait.attempts,
                code: "success"
            )
            let key = try #require(try await pipeline.deployment.redriveKey(on: pipeline.log))
            let event = decision.event(about: "i1", of: "u1", key: key, now: pipeline.clock.now)
            try await pipeline.write([pipeline.deployment.request(event)])
            #expect(try await pipeline.end(of: "i1").data["status"] == "success")
            #expect(service.calls == ["handle"])
            let results = try await pipeline.replayAll(registrations)
            #expect(results.allSatisfy { $0.isMatch })
            #expect(results.compactMap(\.record).compactMap(\.isDecided) == [true, true, true])
        }
    }
}
