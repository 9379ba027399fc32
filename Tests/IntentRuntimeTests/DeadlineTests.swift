import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("The deadlines of a state entry (R13)")
struct DeadlineTests {
    @Test("Deadlines are the same whether a turn has just written the entry or it was read back")
    func writtenAndRestoredEntriesAgree() {
        func check(_ entry: StateEntry, _ name: StateName, _ kinds: [TimerKind], isKept: Bool = true) {
            let known = PendingTimer.timers(in: entry, name: name, user: "u1")
            #expect(entry.isRead == isKept && known.map(\.kind) == kinds)
            #expect(PendingTimer.timers(in: StateEntry(text: entry.text), name: name, user: "u1") == known)
        }
        var interaction = StateEntryTests.interaction()
        check(StateEntry(interaction), .interaction("0:1"), [.prompt])
        interaction.appDeadline = Timestamp(milliseconds: 9)
        check(StateEntry(interaction), .interaction("0:1"), [.prompt, .app])
        interaction.waiting = HandleWait(
            at: Timestamp(milliseconds: 11),
            attempts: 2,
            firstTriedAt: Timestamp(milliseconds: 1),
            position: RecordPosition(.confirmed, 0, 7)
        )
        check(StateEntry(interaction), .interaction("0:1"), [.prompt, .app, .again])
        interaction.undoing = Undoing(
            [MadeEffect(name: "a", ordinal: 0)],
            before: .failed,
            response: HandlerResponse(code: "failure"),
            at: Timestamp(milliseconds: 13)
        )
        check(StateEntry(interaction), .interaction("0:1"), [.prompt, .app, .again, .undo], isKept: false)
        interaction.undoing = nil
        let followed = FollowedInteraction(
            interaction: interaction,
            reported: [:],
            dueAt: Timestamp(milliseconds: 7),
            until: Timestamp(milliseconds: 8)
        )
        check(StateEntry(followed), .followed("0:1"), [.status])
        var followUp = ScheduledFollowUp(
            FollowUpList.Element(
                followUp: FollowUp("again", .intent(IntentSnapshot(name: "GreetIntent"))),
                id: "i1+again-1"
            ),
            of: interaction
        )
        check(StateEntry(followUp), .followUp("i1+again-1"), [])
        followUp.at = Timestamp(milliseconds: 12)
        check(StateEntry(followUp), .followUp("i1+again-1"), [.followUp])
        var parked = StateEntryTests.parked()
        check(StateEntry(parked), .parked, [.timeout])
        parked.retryAt = Timestamp(milliseconds: 3)
        check(StateEntry(parked), .parked, [.retry, .timeout])
    }

    @Test("An open interaction has the deadlines of its prompt and of the app")
    func openInteractionHasPromptAndAppDeadlines() {
        var interaction = StateEntryTests.interaction()
        interaction.prompt?.expiresAt = Timestamp(milliseconds: 5)
        interaction.appDeadline = Timestamp(milliseconds: 7)
        let timers = PendingTimer.timers(in: StateEntry(interaction), name: .interaction("0:1"), user: "u1")
        #expect(timers.map(\.kind) == [.prompt, .app])
        #expect(timers.map(\.deadline.milliseconds) == [5, 7])
    }

    @Test("are none where the entry has another name, or cannot be read")
    func noDeadlinesInOtherEntries() {
        let text = StateEntryTests.interaction().utf8
        for name: StateName in [.known("i1"), .queued(0), .parked, .followed("0:1"), "v/person"] {
            #expect(PendingTimer.timers(in: StateEntry(text: text), name: name, user: "u1").isEmpty)
        }
        #expect(PendingTimer.timers(in: StateEntry(text: [1]), name: .interaction("0:1"), user: "u1").isEmpty)
    }
}
