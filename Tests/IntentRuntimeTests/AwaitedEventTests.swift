import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R80e: how long was waited")
struct AwaitedEventTests {
    private static func at(_ milliseconds: Int64) -> Timestamp { StillTurn.start + milliseconds }

    private static func wait(_ reason: HandleWait.Reason, heldAt: Int64? = nil) -> HandleWait {
        var wait = HandleWait(
            reason,
            at: Self.at(90_000),
            attempts: 1,
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
        outcome: TurnOutcome = .passed
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
        return awaited.end(after, event, of: record)
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

    @Test("Nobody is waited for between attempts, or when it is not known since when")
    func measuresNothingElse() {
        var waits = Interaction.greeting()
        #expect(AwaitedEvent(waits, keptAt: Self.at(2_000)) == nil)
        waits.waiting = Self.wait(.retry)
        #expect(AwaitedEvent(waits, keptAt: Self.at(2_000)) == nil)
        waits.waiting = Self.wait(.operator)
        #expect(AwaitedEvent(waits, keptAt: nil) == nil)
    }
}
