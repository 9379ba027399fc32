import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import Synchronization
import Telemetry
import Testing

@Suite("Condemned turns are not run again (R56)")
struct CondemnedTurnTests {
    private typealias Response = IntentResponse<ProbeIntent>

    /// Crash counts that condemn these turns, or only make them run alone.
    private static func suspects(_ turns: [TurnKey], condemned: Bool = true) -> SuspectTurns {
        var suspects = SuspectTurns(maxCrashes: 3)
        for _ in 0..<3 {
            suspects.recordCrash(of: turns.map { TurnMark($0, .ordinary) }, at: Timestamp(milliseconds: 0))
        }
        if condemned { suspects.recordCrash(of: turns.map { TurnMark($0, .alone) }, at: Timestamp(milliseconds: 0)) }
        return suspects
    }

    private static func turn(_ stage: Stage, _ topic: Topic, _ offset: Int64, user: UserID = "u1") -> TurnKey {
        TurnKey(stage, RecordPosition(topic, HomePartition.of(user: user, count: 4), offset))
    }

    /// A watch with these crash counts, and its marks.
    private static func watch(_ suspects: SuspectTurns) -> (CrashWatch, MarksInMemory) {
        let marks = MarksInMemory()
        return (CrashWatch(suspects, marks: marks, clock: SystemRuntimeClock()), marks)
    }

    private static let stages: [(Stage, Topic)] = [(.resolve, .requests), (.confirm, .resolved), (.handle, .confirmed)]

    @Test(
        "In each stage the interaction ends with error without its handler, and replays to the same",
        arguments: 0...2
    )
    func condemnedTurnEndsWithErrorInEveryStage(number: Int) async throws {
        let (stage, topic) = Self.stages[number]
        let turn = Self.turn(stage, topic, 0)
        let (watch, marks) = Self.watch(Self.suspects([turn]))
        let calls = CallLog()
        let registrations = [
            IntentRegistration(confirmation: .never) {
                ProbeHandler(log: calls)
            }
        ]
        let lines = LogLines()
        try await Pipeline.with(
            registrations,
            settings: .unhurried,
            ledger: InMemoryLedger(),
            crashes: watch,
            logger: lines.logger(level: .info)
        ) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["phase"]?.string == stage.rawValue)
            #expect(end.data["endReason"] == "error")
            #expect(end.data["code"] == "failure")
            #expect(end.data["response"] == [:], "nothing is told of it")
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.count == 1)
            let headers = DeadLetterHeaders(try #require(letters.first).content)
            #expect(headers.error == "crashed")
            #expect(headers.interactionID == "i1")
            #expect(headers.detail?.contains("4 processes died") == true)
            let asked = ["resolve", "confirm", "handle"][number]
            #expect(!calls.all.contains { $0.hasPrefix(asked) }, "\(calls.all)")
            // The same user's next request is processed as any other.
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i2")
            #expect(try await pipeline.end(of: "i2").data["endReason"] == "nominal")
            let turns = try await pipeline.records(of: .journal).compactMap(TurnRecord.init)
            #expect(turns.compactMap(\.crash) == [CrashVerdict(deaths: 4)])
            let results = try await pipeline.replayAll(registrations)
            #expect(results.allSatisfy { $0.isMatch })
            #expect(!calls.all.isEmpty)
        }
        #expect(marks.forgotten.contains(turn))
        let warnings = lines.all.filter { $0.level == .warning }
        #expect(warnings.count == 1, "\(warnings)")
        #expect(warnings.first?.metadata[TelemetryKey.deaths] == "4")
        #expect(warnings.first?.metadata[TelemetryKey.interaction] == "i1")
    }

    @Test("The effects made before the process died are named, and the ledger is closed")
    func namesEffectsMadeBeforeCrash() async throws {
        let ledger = InMemoryLedger()
        let home = HomePartition.of(user: "u1", count: 4)
        for (name, ordinal) in [("book", 0), ("pay", 0), ("book", 1)] {
            let key = EffectKey(request: "\(home):0", name: name, ordinal: ordinal)
            _ = try await ledger.perform(key) { _ in true }
        }
        let (watch, _) = Self.watch(Self.suspects([Self.turn(.handle, .confirmed, 0)]))
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler() }]
        try await Pipeline.with(registrations, settings: .unhurried, ledger: ledger, crashes: watch) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["effects"] == ["book", "pay", "book"])
            #expect(ledger.closed == ["\(home):0"])
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    @Test("A store that is busy for a moment delays the verdict and does not change it")
    func busyStoreDelaysVerdict() async throws {
        let ledger = InMemoryLedger()
        ledger.busyCloses = 1
        let (watch, _) = Self.watch(Self.suspects([Self.turn(.handle, .confirmed, 0)]))
        let calls = CallLog()
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler(log: calls) }]
        try await Pipeline.with(registrations, settings: .unhurried, ledger: ledger, crashes: watch) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "error")
            #expect(ledger.closed.count == 1)
            #expect(!calls.all.contains("handle"))
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    @Test("An answer that kills the process ends its interaction; one to an old prompt ends nothing")
    func lethalAnswerEndsInteraction() async throws {
        // The request, an answer to a prompt that does not exist, and the answer that counts.
        let (watch, _) = Self.watch(
            Self.suspects([Self.turn(.resolve, .requests, 1), Self.turn(.resolve, .requests, 2)])
        )
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler() }]
        try await Pipeline.with(registrations, settings: .unhurried, crashes: watch) { pipeline in
            try await pipeline.request("ProbeIntent", ["second": "b"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.type == "prompt.issued")
            try await pipeline.send(
                .promptAnswered,
                data: ["user": ["id": "u1"], "promptId": "i1/r/9", "action": "accept", "value": "x"]
            )
            try await pipeline.answer(prompt, ["value": "a"])
            let next = try await pipeline.next(of: "i1")
            #expect(next.data["endReason"] == "error")
            let letters = try await pipeline.records(of: .deadLetters).map { DeadLetterHeaders($0.content) }
            #expect(letters.map(\.error) == ["crashed", "crashed"])
            #expect(letters.map(\.interactionID) == [nil, "i1"])
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    @Test("A vocabulary that kills the process becomes a dead letter, and no interaction ends")
    func lethalVocabularyIsBuried() async throws {
        let (watch, _) = Self.watch(Self.suspects([Self.turn(.resolve, .requests, 0)]))
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler() }]
        try await Pipeline.with(registrations, settings: .unhurried, crashes: watch) { pipeline in
            try await pipeline.send(
                .vocabularyReplaced,
                data: ["user": ["id": "u1"], "type": "contactName", "strings": ["Celestra"]]
            )
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            let letters = try await pipeline.records(of: .deadLetters).map { DeadLetterHeaders($0.content) }
            #expect(letters.map(\.error) == ["crashed"])
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    @Test("An event that kills the process while it is read is not read again; what its headers say is answered")
    func lethalUnreadableEventIsAnsweredFromHeaders() async throws {
        let turn = TurnKey(.resolve, Self.turn(.resolve, .requests, 0).position, isReading: true)
        let (watch, _) = Self.watch(Self.suspects([turn]))
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler() }]
        try await Pipeline.with(registrations, settings: .unhurried, crashes: watch) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "error")
            #expect(end.data["intent"]?["name"] == "", "its data were not looked at")
            let letters = try await pipeline.records(of: .deadLetters).map { DeadLetterHeaders($0.content) }
            #expect(letters.map(\.error) == ["crashed"])
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    /// Ends the test if it is called.
    private struct DeadlyPresenter: IntentPresenter {
        func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView? {
            Issue.record("the presenter may be what has ended the process")
            return nil
        }
    }

    @Test("No presenter draws the end of a turn that is not run again")
    func condemnedTurnHasNoPresentation() async throws {
        let (watch, _) = Self.watch(Self.suspects([Self.turn(.resolve, .requests, 0)]))
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler() }]
        try await Pipeline.with(
            registrations,
            presentation: [IntentUIExtension("Tests", supportedIntents: ["ProbeIntent"], presenter: DeadlyPresenter())],
            settings: .unhurried,
            crashes: watch
        ) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "error")
        }
    }

    @Test("A suspect runs alone while all others continue, and its count is cleared when it is committed")
    func acquittedSuspectRunsAlone() async throws {
        let turn = Self.turn(.handle, .confirmed, 0)
        let (watch, marks) = Self.watch(Self.suspects([turn], condemned: false))
        let registrations = [IntentRegistration(confirmation: .never) { ProbeHandler() }]
        try await Pipeline.with(registrations, settings: .unhurried, crashes: watch) { pipeline in
            for number in 0..<20 {
                try await pipeline.request(
                    "ProbeIntent",
                    ["first": "a", "second": "b"],
                    user: "u\(number + 1)",
                    subject: "i\(number)"
                )
            }
            for number in 0..<20 {
                #expect(try await pipeline.end(of: "i\(number)").data["endReason"] == "nominal")
            }
        }
        #expect(marks.all.filter { $0.company == .alone }.map(\.turn) == [turn])
        #expect(marks.forgotten == [turn])
        #expect(marks.marks.isEmpty)
    }
}
