import IntentEvents
@testable import IntentRuntime
import Testing

@Suite("Watching a process for crashes (R56)")
struct CrashWatchTests {
    private static let suspect = TurnKey(.handle, RecordPosition(.confirmed, 0, 1))
    private static let other = TurnKey(.resolve, RecordPosition(.requests, 0, 2))

    private func watch(_ marks: MarksInMemory, deaths: Int = 3) -> CrashWatch {
        var suspects = SuspectTurns(maxCrashes: 3)
        for _ in 0..<deaths {
            suspects.recordCrash(of: [TurnMark(Self.suspect, .ordinary)], at: Timestamp(milliseconds: 0))
        }
        return CrashWatch(suspects, marks: marks, clock: SystemRuntimeClock())
    }

    @Test("A turn is marked while it runs, and neither before nor after")
    func marksTurnWhileItRuns() async {
        let marks = MarksInMemory()
        let watch = self.watch(marks)
        let pass = await watch.enter(Self.other)
        #expect(marks.marks == [TurnMark(Self.other, .ordinary)])
        watch.leave(pass)
        #expect(marks.marks.isEmpty)
    }

    @Test("A slot marks one turn after the other; there is none while a turn has a crash count")
    func slotMarksTurnsOneAfterTheOther() async throws {
        let marks = MarksInMemory()
        let watch = self.watch(marks)
        #expect(watch.takeSlot() == nil)
        watch.forget([Self.suspect])
        let slot = try #require(watch.takeSlot())
        for key in [Self.suspect, Self.other] {
            let pass = await watch.enter(key, in: slot)
            #expect(pass.verdict == nil)
            #expect(marks.marks == [TurnMark(key, .ordinary)])
            let beside = await watch.enter(Self.other)
            #expect(marks.marks.count == 2)
            watch.leave(beside)
            watch.leave(pass)
            #expect(marks.marks.isEmpty)
        }
        watch.returnSlot(slot)
        // Its number has no other user.
        let first = await watch.enter(Self.suspect)
        let second = try #require(watch.takeSlot())
        let pass = await watch.enter(Self.other, in: second)
        #expect(Set(marks.marks) == [TurnMark(Self.suspect, .ordinary), TurnMark(Self.other, .ordinary)])
        watch.leave(first)
        watch.leave(pass)
        watch.returnSlot(second)
    }

    @Test("There is no slot while a turn is alone whose count was dropped")
    func noSlotBesideATurnThatIsAlone() async {
        let watch = self.watch(MarksInMemory())
        let alone = await watch.enter(Self.suspect)
        watch.forget([Self.suspect])
        #expect(!watch.hasSuspects)
        #expect(watch.takeSlot() == nil)
        watch.leave(alone)
        let slot = watch.takeSlot()
        #expect(slot != nil)
        watch.returnSlot(slot)
    }

    @Test("A suspect starts when the others have ended, and the others when it has")
    func suspectRunsAlone() async {
        let marks = MarksInMemory()
        let watch = self.watch(marks)
        let first = await watch.enter(Self.other)
        async let suspect = watch.enter(Self.suspect)
        // It waits for the first one; whether it does so yet makes no difference to what follows.
        await Task.yield()
        watch.leave(first)
        let pass = await suspect
        #expect(marks.marks == [TurnMark(Self.suspect, .alone)])
        async let late = watch.enter(Self.other)
        await Task.yield()
        #expect(marks.marks == [TurnMark(Self.suspect, .alone)])
        watch.leave(pass)
        let last = await late
        #expect(marks.marks == [TurnMark(Self.other, .ordinary)])
        watch.leave(last)
        #expect(marks.marks.isEmpty)
    }

    @Test("A suspect that cannot wait for the others runs beside them, and is marked as such", .timeLimit(.minutes(1)))
    func suspectRunsBesideStubbornTurns() async {
        let marks = MarksInMemory()
        let watch = self.watch(marks)
        let hung = await watch.enter(Self.other)
        let pass = await watch.enter(Self.suspect)
        #expect(Set(marks.marks) == [TurnMark(Self.other, .ordinary), TurnMark(Self.suspect, .solo)])
        watch.leave(pass)
        watch.leave(hung)
    }

    @Test("A suspect that takes too long is joined by the others, and is marked as such", .timeLimit(.minutes(1)))
    func suspectThatTakesTooLongIsJoined() async {
        let marks = MarksInMemory()
        let watch = self.watch(marks)
        let pass = await watch.enter(Self.suspect)
        let other = await watch.enter(Self.other)
        #expect(Set(marks.marks) == [TurnMark(Self.other, .ordinary), TurnMark(Self.suspect, .ordinary)])
        watch.leave(other)
        watch.leave(pass)
    }

    @Test("Committed turns are forgotten, in memory and on disk")
    func forgetsCommittedTurns() async {
        let marks = MarksInMemory()
        let watch = self.watch(marks)
        watch.forget([Self.other])
        #expect(marks.forgotten.isEmpty)
        watch.forget([Self.suspect])
        #expect(marks.forgotten == [Self.suspect])
        let first = await watch.enter(Self.other)
        let second = await watch.enter(Self.suspect)
        #expect(marks.marks.allSatisfy { $0.company == .ordinary })
        watch.leave(first)
        watch.leave(second)
    }
}
