import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("R30: however an interaction ends, its terminal response names the effects that its ledger holds")
struct HeldEffectsTests {
    private typealias Response = IntentResponse<ProbeIntent>
    private struct Hiccup: TransientError {}
    private struct Defect: Error {}

    /// Books a flight, and then does what the value of `first` says.
    private static func book(_ intent: ProbeIntent, _ context: TurnContext) async throws -> Response {
        let wish = intent.first ?? ""
        if wish == "makes another effect at each try" {
            try await context.effect("try \(context.attempt)") { _ in }
        } else if wish != "succeeds at the second try" || context.attempt == 1 {
            try await context.effect("flight") { _ in }
        }
        switch wish {
        case "succeeds": return Response(code: .success)
        case "succeeds at the second try":
            guard context.attempt > 1 else { throw Hiccup() }
            return Response(code: .success)
        case "fails": return Response(code: .failure)
        case "continues in the app": return Response(code: .continueInApp)
        case "throws": throw Defect()
        case "makes another effect at each try": throw Hiccup()
        case "ends nothing": return Response(code: .ready)
        case "waits for the app": return Response(code: .inProgress)
        case "says too much":
            return Response(code: .success, details: ["text": .string(String(repeating: "x", count: 5 << 20))])
        case "books too much":
            let name = String(repeating: "n", count: 100_000)
            for number in 0..<50 { try await context.effect("\(name) \(number)") { _ in } }
            return Response(code: .success)
        default:
            try await Task.sleep(for: .seconds(3_600))
            return Response(code: .success)
        }
    }

    private static func registration(_ confirmation: ConfirmationPolicy = .never) -> IntentRegistration {
        IntentRegistration(confirmation: confirmation) {
            var handler = ProbeHandler()
            handler.handle = Self.book
            return handler
        }
    }

    private let ledger = InMemoryLedger()

    /// Runs the stages, and afterwards their turns again, unless they kept too little for that, or ran with other settings.
    private func run(
        _ confirmation: ConfirmationPolicy = .never,
        maxTries: Int? = nil,
        isReplayed: Bool = true,
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .seconds(3_600)
        settings.maxTries = maxTries ?? settings.maxTries
        let registration = Self.registration(confirmation)
        try await Pipeline.with([registration], settings: settings, ledger: self.ledger) { pipeline in
            try await body(pipeline)
            // What the ledger held is in the journal: the same bytes again, without the ledger (R42).
            guard isReplayed else { return }
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    private func request(_ wish: String, _ pipeline: Pipeline, _ extra: JSONObject = [:]) async throws {
        try await pipeline.request(
            "ProbeIntent",
            ["first": .string(wish), "second": "b"],
            subject: "i1",
            extra: extra
        )
    }

    /// Waits until the effect is made and its turn is parked.
    private func parked(_ pipeline: Pipeline) async throws {
        while true {
            let isParked = try await pipeline.records(of: .state)
                .contains { $0.key.flatMap(StateKey.init)?.name == "parked" && $0.value != nil }
            if isParked, !self.ledger.made.isEmpty { return }
            await Task.yield()
        }
    }

    private func expect(
        _ end: Event,
        _ reason: String,
        _ effects: JSONValue = ["flight"],
        isIncomplete: Bool = false,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(end.data["endReason"] == .string(reason), sourceLocation: location)
        #expect(end.data["effects"] == effects, sourceLocation: location)
        #expect(end.data["effectsIncomplete"] == (isIncomplete ? true : nil), sourceLocation: location)
    }

    @Test(
        "Whatever the handler returns or throws, even if it is too large",
        arguments: [
            ("succeeds", "nominal"), ("fails", "failed"), ("continues in the app", "nominal"), ("throws", "error"),
            ("ends nothing", "error"), ("says too much", "error"),
        ]
    )
    func namesEffectsOfAnyHandlerResult(_ wish: String, _ reason: String) async throws {
        try await self.run(isReplayed: wish != "says too much") { pipeline in
            try await self.request(wish, pipeline)
            self.expect(try await pipeline.end(of: "i1"), reason)
        }
    }

    @Test("The effects of every attempt, also where attempts made different ones (behaviour 49)")
    func namesEffectsOfEveryAttempt() async throws {
        try await self.run(maxTries: 2, isReplayed: false) { pipeline in
            try await self.request("makes another effect at each try", pipeline)
            self.expect(try await pipeline.end(of: "i1"), "error", ["try 1", "try 2"])
        }
    }

    @Test("An effect of a failed attempt, although the next one succeeds without it")
    func namesEffectOfFailedAttempt() async throws {
        try await self.run { pipeline in
            try await self.request("succeeds at the second try", pipeline)
            self.expect(try await pipeline.end(of: "i1"), "nominal")
        }
    }

    @Test("The timeout of a handler that hangs")
    func namesEffectsAtHandlerTimeout() async throws {
        try await self.run { pipeline in
            try await self.request("hangs", pipeline)
            try await self.parked(pipeline)
            pipeline.clock.advance(by: RuntimeSettings().handlerTimeout)
            let end = try await pipeline.end(of: "i1")
            self.expect(end, "timeout")
            #expect(end.data["phase"] == "handle")
        }
    }

    @Test("R5: a cancellation after an effect is late, and the end that follows names the effect")
    func lateCancellationNamesEffects() async throws {
        try await self.run { pipeline in
            try await self.request("hangs", pipeline)
            try await self.parked(pipeline)
            try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
            pipeline.clock.advance(by: RuntimeSettings().handlerTimeout)
            self.expect(try await pipeline.end(of: "i1"), "timeout")
        }
    }

    @Test("R5: a cancellation before any effect names none", arguments: [true, false])
    func earlyCancellationNamesNone(isAnswer: Bool) async throws {
        try await self.run(.always) { pipeline in
            try await self.request("succeeds", pipeline)
            let prompt = try await pipeline.next(of: "i1")
            if isAnswer {
                try await pipeline.answer(prompt, ["action": "cancel"])
            } else {
                try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            }
            self.expect(try await pipeline.end(of: "i1"), "abortedByUser", [])
        }
    }

    @Test(
        "The app's answer, the end of its time, and that of the request's",
        arguments: [("success", "nominal"), ("failure", "failed"), (nil, "timeout")] as [(String?, String)]
    )
    func namesEffectsAfterHandingOverToApp(_ code: String?, _ reason: String) async throws {
        try await self.run { pipeline in
            try await self.request("waits for the app", pipeline)
            #expect(try await pipeline.next(of: "i1").data["effects"] == ["flight"])
            try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
            if let code {
                let data: JSONValue = ["user": ["id": "u1"], "code": .string(code)]
                try await pipeline.send(.appResponded, subject: "i1", data: data)
            } else {
                pipeline.clock.advance(by: RuntimeSettings().appTimeout)
            }
            self.expect(try await pipeline.end(of: "i1"), reason)
        }
    }

    @Test("With an unreachable ledger the response names what its turn made, and says that there may be more")
    func unreachableLedgerNamesOwnEffects() async throws {
        self.ledger.brokenCloses = 1
        try await self.run { pipeline in
            try await self.request("throws", pipeline)
            self.expect(try await pipeline.end(of: "i1"), "error", isIncomplete: true)
        }
    }

    @Test("With a ledger that is unreachable at the handler's timeout the response says that more may have been done")
    func unreachableLedgerAtTimeoutIsIncomplete() async throws {
        self.ledger.brokenCloses = 1
        try await self.run { pipeline in
            try await self.request("hangs", pipeline)
            try await self.parked(pipeline)
            pipeline.clock.advance(by: RuntimeSettings().handlerTimeout)
            self.expect(try await pipeline.end(of: "i1"), "timeout", [], isIncomplete: true)
        }
    }

    @Test("R47: names that do not fit in the record are left out, and the response says so")
    func leavesOutNamesThatDoNotFit() async throws {
        try await self.run(isReplayed: false) { pipeline in
            try await self.request("books too much", pipeline)
            self.expect(try await pipeline.end(of: "i1"), "error", [], isIncomplete: true)
            #expect(self.ledger.made.count == 51)
        }
    }

    // MARK: Redriven interactions

    /// How a redriven interaction ends before it is handled.
    enum RedrivenEnd: String, CaseIterable {
        case declined
        case abortedByUser
        case cancelled
        case timeout
        case tooManyAttempts
    }

    @Test("R48: the effects of the interaction that it redrives, wherever it ends", arguments: RedrivenEnd.allCases)
    func namesEffectsOfRedrivenOriginal(_ way: RedrivenEnd) async throws {
        try await self.run(.always) { pipeline in
            try await self.request("throws", pipeline)
            try await pipeline.answer(try await pipeline.next(of: "i1"), [:])
            self.expect(try await pipeline.end(of: "i1"), "error")
            let redrive = try await Redrive(
                try await pipeline.records(of: .deadLetters)
                    .map { letter in
                        var letter = letter
                        // Without the yes that it passes on, the user is asked again.
                        letter.headers.removeAll { $0.name == Redrive.stateHeader }
                        return DeadLetter(letter, prefix: "intents")
                    },
                of: pipeline.deployment,
                on: pipeline.log,
                key: try await pipeline.deployment.makeRedriveKey(on: pipeline.log),
                again: false,
                now: Timestamp(milliseconds: 0)
            )
            try await pipeline.write(redrive.records)
            var prompt = try await pipeline.next(of: "i1~1")
            switch way {
            case .declined: try await pipeline.answer(prompt, ["action": "decline"])
            case .abortedByUser: try await pipeline.answer(prompt, ["action": "cancel"])
            case .cancelled:
                try await pipeline.send(.interactionCancelled, subject: "i1~1", data: ["user": ["id": "u1"]])
            case .timeout: pipeline.clock.advance(by: RuntimeSettings().promptTimeout)
            case .tooManyAttempts:
                for attempt in 1...3 {
                    try await pipeline.answer(prompt, ["value": "perhaps"])
                    if attempt < 3 { prompt = try await pipeline.next(of: "i1~1") }
                }
            }
            let end = try await pipeline.end(of: "i1~1")
            self.expect(end, way == .cancelled ? "abortedByUser" : way.rawValue)
            #expect(end.data["phase"] == "confirm")
        }
    }
}
