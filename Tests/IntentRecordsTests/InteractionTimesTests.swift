import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRecords

@Suite("R80: the time of an interaction is its user's")
struct InteractionTimesTests {
    /// What is recorded of one interaction, with times in milliseconds after its request.
    private struct Recorded {
        var story: InteractionStory
        private var offset: Int64 = 0

        init(endedAt: Int64? = nil) {
            var interaction = RecordedInteraction(
                position: RecordPosition(.requests, 0, 7),
                turns: 0,
                prompts: 0,
                terminalResponses: endedAt == nil ? 0 : 1
            )
            interaction.interactionID = "i1"
            interaction.userID = "ada"
            interaction.requestedAt = Self.at(0)
            interaction.endedAt = endedAt.map(Self.at)
            self.story = InteractionStory(interaction: interaction, events: [], turns: [])
            self.add(.requests, 7, "intent.requested", 0, [:])
        }

        static func at(_ time: Int64) -> Timestamp { Timestamp(milliseconds: 1_790_000_000_000 + time) }

        mutating func add(
            _ topic: Topic,
            _ offset: Int64,
            _ type: String,
            _ time: Int64,
            cause: String? = nil,
            _ data: JSONValue
        ) {
            self.story.events.append(
                RecordedEvent(
                    position: RecordPosition(topic, 0, offset),
                    timestamp: Self.at(time),
                    id: "\(topic.rawValue)/\(offset)",
                    type: type,
                    causationID: cause,
                    headers: [],
                    value: data.utf8
                )
            )
        }

        /// A turn that was committed; `began` and `ended` are the turn's own clock.
        mutating func turn(
            _ stage: Stage,
            _ event: RecordPosition,
            _ type: EventType,
            began: Int64,
            ended: Int64? = nil,
            written: Int64,
            _ outcome: TurnOutcome,
            _ change: (inout TurnDraft) -> Void = { _ in }
        ) {
            var draft = TurnDraft(
                stage: stage,
                position: event,
                eventID: "\(event.topic.rawValue)/\(event.offset)",
                eventType: type.rawValue,
                userID: "ada",
                at: Self.at(began),
                attempt: 1,
                worker: "w",
                outcome: outcome
            )
            draft.handlerName = "H"
            draft.until = ended.map(Self.at)
            change(&draft)
            self.story.turns.append(
                RecordedTurn(
                    position: RecordPosition(.journal, 0, self.offset),
                    timestamp: Self.at(written),
                    record: TurnRecord(draft, generation: 0, eventDigest: "", outputs: [], previousDigest: "")
                )
            )
            self.offset += 1
        }

        mutating func note(_ stage: Stage, _ event: RecordPosition, _ type: EventType, began: Int64, written: Int64) {
            self.turn(stage, event, type, began: began, written: written, .parked) { $0.handlerName = nil }
        }

        func times(now: Int64) throws -> InteractionTimes {
            try #require(InteractionTimes(self.story, now: Self.at(now)))
        }
    }

    private static let request = RecordPosition(.requests, 0, 7)
    private static let confirmed = RecordPosition(.confirmed, 0, 3)

    /// The parts that are longer than nothing.
    private static func parts(_ times: InteractionTimes) -> [InteractionState: Int64] {
        Dictionary(uniqueKeysWithValues: InteractionState.allCases.map { ($0, times.milliseconds($0)) })
            .filter { $0.value > 0 }
    }

    // H1
    @Test("It begins when its request was written, however late its first turn")
    func beginsWhenRequestIsWritten() throws {
        var recorded = Recorded(endedAt: 20_257)
        recorded.turn(.resolve, Self.request, .intentRequested, began: 14_431, written: 14_440, .passed)
        recorded.turn(
            .handle,
            Self.confirmed,
            .intentConfirmed,
            began: 14_450,
            ended: 20_250,
            written: 20_257,
            .ended
        )
        let times = try recorded.times(now: 99_000)
        #expect(times.total == 20_257 && times.state == .ended)
        #expect(Self.parts(times) == [.queued: 14_441, .running: 5_800, .committing: 16])
    }

    @Test("R80a: a client's clock that is wrong adds no more than a day, and takes nothing away", arguments: [-3, 3])
    func boundsClientsClock(days: Int64) throws {
        let day = ClientClock.tolerance
        var recorded = Recorded(endedAt: 500)
        recorded.turn(.resolve, Self.request, .intentRequested, began: 100, written: 110, .passed)
        recorded.turn(.handle, Self.confirmed, .intentConfirmed, began: 120, ended: 490, written: 500, .ended)
        recorded.story.interaction.requestedAt = Recorded.at(days * day)
        recorded.story.events[0].timestamp = Recorded.at(days * day)
        let times = try recorded.times(now: 99_000)
        #expect(times.milliseconds(.queued) == (days < 0 ? day : 0) + 10)
        #expect(times.milliseconds(.running) == 370 && times.total == (days < 0 ? day : 0) + 400)
    }

    // H2
    @Test("An answer that waits behind a parked turn is queued from the moment at which it was written")
    func answerIsQueuedFromItsWriting() throws {
        var recorded = Recorded()
        recorded.turn(.resolve, Self.request, .intentRequested, began: 10, written: 20, .prompted)
        recorded.add(.responses, 1, "prompt.issued", 20, cause: "requests/7", ["kind": "needsValue"])
        let asked = try recorded.times(now: 1_020)
        #expect(asked.state == .awaitingUser && asked.milliseconds(.awaitingUser) == 1_000)
        recorded.story.answeredAt = Recorded.at(24)
        let waiting = try recorded.times(now: 5_024)
        #expect(waiting.state == .queued && waiting.since == Recorded.at(24))
        #expect(waiting.milliseconds(.awaitingUser) == 4 && waiting.milliseconds(.queued) == 5_010)
        let answer = RecordPosition(.requests, 0, 9)
        recorded.add(.requests, 9, "prompt.answered", 24, [:])
        recorded.turn(.resolve, answer, .promptAnswered, began: 6_820, written: 6_830, .passed)
        let times = try recorded.times(now: 6_900)
        #expect(times.milliseconds(.awaitingUser) == 4)
        #expect(times.milliseconds(.queued) == 10 + 6_796 + 70)
        #expect(times.state == .queued && times.stage == .confirm)
    }

    // H2
    @Test("A service that hangs until its time-out is running in its stage, not committing")
    func hungServiceIsRunning() throws {
        var recorded = Recorded()
        for attempt in 0..<3 {
            let began = Int64(attempt) * 6_000
            if attempt > 0 {
                let timer = RecordPosition(.signals, 0, Int64(attempt))
                recorded.turn(.handle, timer, .timerFired, began: began - 3, written: began - 1, .parked) { draft in
                    draft.handlerName = nil
                    draft.before = ["parked": Array("{}".utf8)]
                }
            } else {
                recorded.turn(.resolve, Self.request, .intentRequested, began: 0, written: 0, .passed)
                recorded.note(.handle, Self.confirmed, .intentConfirmed, began: 1, written: 30)
            }
            let hung = try recorded.times(now: began + 4_000)
            #expect(hung.state == .running && hung.stage == .handle && hung.attempt == attempt + 1)
            recorded.turn(
                .handle,
                Self.confirmed,
                .intentConfirmed,
                began: began + 1,
                ended: began + 5_001,
                written: began + 5_010,
                .parked
            ) { draft in
                draft.attempt = attempt + 1
                draft.wait = TurnWait(nextAt: Recorded.at(began + 5_990), attempt: attempt + 2, attempts: 8)
            }
        }
        let times = try recorded.times(now: 17_100)
        let running = times.spans.filter { $0.state == .running }
        #expect(running.map(\.attempt) == [1, 2, 3] && running.allSatisfy { $0.stage == .handle })
        #expect(running.allSatisfy { 5_000...5_004 ~= $0.milliseconds })
        #expect(times.milliseconds(.committing) == 27)
    }

    // H3
    @Test("An interaction that asked nothing is retrying, with the attempt and its time, and waits for no value")
    func failedAttemptIsRetrying() throws {
        var recorded = Recorded()
        recorded.turn(
            .resolve,
            Self.request,
            .intentRequested,
            began: 5,
            written: 12,
            .parked
        ) { $0.wait = TurnWait(nextAt: Recorded.at(612), attempt: 2, attempts: 8) }
        let times = try recorded.times(now: 400)
        #expect(times.state == .retrying && times.attempt == 2 && times.attempts == 8)
        #expect(times.nextAt == Recorded.at(612) && times.since == Recorded.at(12))
        #expect(times.text.hasPrefix("retrying 2/8 at "))
        #expect(times.json["attempts"] == 8 && times.json["state"] == "retrying")
    }

    @Test("R82c: an attempt that an operator begins runs since then, as one that its timer begins")
    func retryByOperatorRuns() throws {
        for type in [EventType.timerFired, .operatorActed] {
            var recorded = Recorded()
            recorded.turn(.handle, Self.confirmed, .intentConfirmed, began: 5, written: 12, .parked) {
                $0.wait = TurnWait(nextAt: Recorded.at(3_600_012), attempt: 2, attempts: 8)
            }
            recorded.note(.handle, RecordPosition(.signals, 0, 4), type, began: 900, written: 905)
            let times = try recorded.times(now: 1_500)
            #expect(times.state == .running && times.attempt == 2 && times.nextAt == nil)
            #expect(times.milliseconds(.retrying) == 888 && times.milliseconds(.running) == 600)
        }
    }

    // H4
    @Test("A request without a turn is queued since it was written")
    func requestWithoutTurnIsQueued() throws {
        let times = try Recorded().times(now: 33_000)
        #expect(times.state == .queued && times.since == Recorded.at(0) && times.total == 33_000)
        #expect(Self.parts(times) == [.queued: 33_000])
    }

    @Test("A rejected answer ends no wait, and an answer that a stage passed on ends it when it was first written")
    func onlyWhatActsEndsWait() throws {
        var recorded = Recorded()
        recorded.turn(.confirm, RecordPosition(.resolved, 0, 1), .intentResolved, began: 4, written: 6, .prompted)
        recorded.add(.responses, 1, "prompt.issued", 6, cause: "resolved/1", ["kind": "intentConfirmation"])
        let late = RecordPosition(.resolved, 0, 2)
        recorded.add(.resolved, 2, "prompt.answered", 500, [:])
        recorded.turn(.confirm, late, .promptAnswered, began: 510, written: 520, .rejected)
        #expect(try recorded.times(now: 1_000).state == .awaitingUser)
        let answer = RecordPosition(.resolved, 0, 3)
        recorded.add(.resolved, 3, "prompt.answered", 2_700, [:])
        recorded.story.writtenAt[answer] = Recorded.at(2_006)
        recorded.turn(.confirm, answer, .promptAnswered, began: 2_705, written: 2_710, .passed)
        let times = try recorded.times(now: 2_710)
        #expect(times.milliseconds(.awaitingUser) == 2_000 && times.milliseconds(.queued) == 4 + 699)
    }

    @Test(
        "Who is waited for: device, sign-in, app, operator",
        arguments: [
            ("unlockRequired", InteractionState.awaitingUnlock), ("authenticationRequired", .awaitingSignIn),
            ("disambiguation", .awaitingUser),
        ]
    )
    func waitsHaveTheirNames(kind: String, state: InteractionState) throws {
        var recorded = Recorded()
        recorded.turn(.resolve, Self.request, .intentRequested, began: 1, written: 2, .prompted)
        recorded.add(.responses, 1, "prompt.issued", 2, cause: "requests/7", ["kind": .string(kind)])
        #expect(try recorded.times(now: 9).state == state)
        var handled = Recorded()
        handled.turn(.handle, Self.confirmed, .intentConfirmed, began: 1, written: 2, .reported)
        handled.add(.responses, 1, "intent.responded", 2, cause: "confirmed/3", ["code": "handleInApp"])
        #expect(try handled.times(now: 9).state == .awaitingApp)
        handled.turn(.handle, Self.confirmed, .intentConfirmed, began: 3, written: 4, .noted) {
            $0.wait = TurnWait(nextAt: nil, attempt: 3, attempts: 8)
        }
        #expect(try handled.times(now: 9).state == .awaitingOperator)
    }

    @Test("R82d: an interaction that a pause holds is paused, until its next turn begins")
    func pausesHaveTheirName() throws {
        var held = Recorded()
        held.turn(.handle, Self.confirmed, .intentConfirmed, began: 100, written: 105, .reported) {
            $0.held = Pause(.intent("A"), id: "e1", since: Recorded.at(1), by: "ada")
            $0.attempt = 3
        }
        var times = try held.times(now: 1_105)
        #expect(times.state == .paused && times.attempt == 3 && times.text == "paused 3")
        #expect(times.milliseconds(.paused) == 1_000)
        held.turn(.handle, RecordPosition(.signals, 0, 9), .timerFired, began: 2_105, written: 2_110, .noted) {
            $0.held = Pause(.app("T"), id: "e2", since: Recorded.at(1), by: "ada")
        }
        times = try held.times(now: 3_110)
        #expect(times.state == .paused && times.milliseconds(.paused) == 3_000)
        held.turn(.handle, RecordPosition(.signals, 0, 10), .timerFired, began: 4_110, written: 4_115, .ended)
        times = try held.times(now: 5_000)
        #expect(times.milliseconds(.paused) == 4_000)
    }

    @Test("The parts add up to the whole, without gaps, whatever is recorded", arguments: 1...40)
    func partsAddUp(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        var recorded = Recorded(
            endedAt: Bool.random(using: &numbers) ? Int64.random(in: 0...3_000, using: &numbers) : nil
        )
        for offset in 0..<Int64.random(in: 0...12, using: &numbers) {
            let began = Int64.random(in: 0...3_000, using: &numbers)
            let topic = [Topic.requests, .resolved, .confirmed, .signals].randomElement(using: &numbers)!
            let type = EventType.allCases.randomElement(using: &numbers)!
            recorded.add(topic, 100 + offset, type.rawValue, Int64.random(in: 0...3_000, using: &numbers), [:])
            recorded.turn(
                Stage.allCases.randomElement(using: &numbers)!,
                RecordPosition(topic, 0, 100 + offset),
                type,
                began: began,
                ended: Bool.random(using: &numbers) ? began + 150 : nil,
                written: began + Int64.random(in: -20...200, using: &numbers),
                TurnOutcome.allCases.randomElement(using: &numbers)!
            ) { draft in
                if Bool.random(using: &numbers) { draft.handlerName = nil }
                if Bool.random(using: &numbers) { draft.wait = TurnWait(nextAt: nil, attempt: 2, attempts: 3) }
            }
        }
        let times = try recorded.times(now: 2_500)
        #expect(times.spans.reduce(0) { $0 + $1.milliseconds } == times.total)
        for (span, next) in zip(times.spans, times.spans.dropFirst()) { #expect(span.end == next.start) }
        #expect(times.spans.allSatisfy { $0.milliseconds > 0 })
    }
}
