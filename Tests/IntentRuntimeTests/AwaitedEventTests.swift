import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R80e: how long was waited")
struct AwaitedEventTests {
    private static func at(_ milliseconds: Int64) -> Timestamp { StillTurn.start + milliseconds }

    private static func wait(_ reason: HandleWait.Reason, attempts: Int = 1, heldAt: Int64? = nil) -> HandleWait {
        var wait = HandleWait(
            reason,
            at: Self.at(90_000),
            attempts: attempts,
            firstTriedAt: Self.at(1),
            position: RecordPosition(.confirmed, 0, 3)
        )
        wait.heldAt = heldAt.map(Self.at)
        return wait
    }

    /// How long was waited until a turn at nine seconds, for an event that was written at eight.
    private static func end(
        of before: Interaction,
        _ after: Interaction?,
        _ type: EventType,
        on topic: Topic,
        outcome: TurnOutcome = .passed,
        firstTriedAt: Int64? = nil
    ) throws -> InteractionTime? {
        var event = StillTurn.stored(type, ["user": ["id": "u1"]], on: topic)
        event.timestamp = Self.at(8_000)
        let record = TurnDraft(
            stage: .handle,
            position: event.position,
            eventID: "e1",
            eventType: type.rawValue,
            userID: "u1",
            at: Self.at(9_000),
            attempt: 1,
            worker: "w",
            outcome: outcome
        )
        let awaited = try #require(AwaitedEvent(before, keptAt: Self.at(2_000)))
        let input = TurnInput(event, firstTriedAt: firstTriedAt.map(Self.at))
        return awaited.end(after, input, of: record, endsParked: false)
    }

    @Test("The app, an operator and a pause are waited for since the turn that began it")
    func measuresWaitsWithoutPrompt() throws {
        let none = Interaction.greeting()
        var asked = none
        // Its request expires long before the app's own time limit.
        asked.appDeadline = Self.at(60_000)
        let app = try Self.end(of: asked, none, .appResponded, on: .confirmed)
        #expect(app == InteractionTime(state: .awaitingApp, since: Self.at(2_000), until: Self.at(8_000)))
        #expect(try Self.end(of: asked, asked, .appResponded, on: .confirmed) == nil)
        var undecided = none
        undecided.waiting = Self.wait(.operator)
        let decided = try Self.end(of: undecided, none, .operatorDecided, on: .signals, outcome: .ended)
        #expect(decided == InteractionTime(state: .awaitingOperator, since: Self.at(2_000), until: Self.at(8_000)))
        var held = none
        held.waiting = Self.wait(.paused, heldAt: 5_000)
        let resumed = try Self.end(of: held, none, .timerFired, on: .signals)
        #expect(resumed == InteractionTime(state: .paused, since: Self.at(5_000), until: Self.at(9_000)))
        var heldAgain = none
        heldAgain.waiting = Self.wait(.paused, heldAt: 9_000)
        #expect(try Self.end(of: held, heldAgain, .timerFired, on: .signals) == resumed)
        #expect(try Self.end(of: held, held, .timerFired, on: .signals) == nil)
    }

    @Test("An interaction retries from the end of an attempt to the beginning of the next, planned or not")
    func measuresRetries() throws {
        let none = Interaction.greeting()
        for reason in [HandleWait.Reason.retry, .lookup] {
            var failed = none
            failed.waiting = Self.wait(reason)
            var failedAgain = none
            failedAgain.waiting = Self.wait(.retry, attempts: 2)
            let retried = InteractionTime(state: .retrying, since: Self.at(2_000), until: Self.at(9_000))
            #expect(try Self.end(of: failed, none, .timerFired, on: .signals) == retried)
            #expect(try Self.end(of: failed, failedAgain, .timerFired, on: .signals) == retried)
            // An operator's act was written a second before its turn.
            #expect(try Self.end(of: failed, failedAgain, .operatorActed, on: .confirmed) == retried)
            var held = none
            held.waiting = Self.wait(.paused, heldAt: 9_000)
            #expect(try Self.end(of: failed, held, .timerFired, on: .signals) == retried)
            #expect(try Self.end(of: failed, failed, .promptAnswered, on: .confirmed) == nil)
            // The attempt ran until its worker was killed: that is no part of the wait.
            let begun = try Self.end(of: failed, none, .timerFired, on: .signals, firstTriedAt: 6_000)
            #expect(begun?.until == Self.at(6_000))
        }
    }

    @Test("Nobody is waited for while an attempt runs, or when it is not known since when")
    func measuresNothingElse() {
        var waits = Interaction.greeting()
        #expect(AwaitedEvent(waits, keptAt: Self.at(2_000)) == nil)
        waits.waiting = Self.wait(.operator)
        #expect(AwaitedEvent(waits, keptAt: nil) == nil)
        waits.waiting = Self.wait(.retry)
        #expect(AwaitedEvent(waits, keptAt: nil) == nil)
        let event = StillTurn.stored(.intentConfirmed, [:], on: .confirmed)
        var parked = ParkedTurn(event: event, interactionID: "i1", startedAt: Self.at(0), timeoutAt: Self.at(300_000))
        #expect(AwaitedEvent(parked) == nil)
        parked.retryAt = Self.at(5_000)
        // An older worker has parked it.
        #expect(AwaitedEvent(parked) == nil)
    }
}
