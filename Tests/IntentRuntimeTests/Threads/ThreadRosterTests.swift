import Testing

@testable import IntentRuntime

/// Each test names the transitions of a thread that it is about: coming, working, held, idle, gone.
@Suite("States of the threads for turns")
struct ThreadRosterTests {
    /// A roster of two threads that work on a job each.
    private static func busy(limit: Int = 8) -> ThreadRoster {
        var roster = ThreadRoster(width: 2, limit: limit)
        for waiting in [1, 1] {
            guard case .start(let thread) = roster.summon(waiting: waiting) else { continue }
            _ = roster.take(thread, waiting: waiting)
        }
        return roster
    }

    @Test("→ coming → working: a thread is started for each job, up to the width")
    func startsThreadPerJobUpToWidth() {
        var roster = ThreadRoster(width: 2, limit: 8)
        #expect(roster.summon(waiting: 0) == nil)
        #expect(roster.summon(waiting: 1) == .start(1))
        #expect(roster.summon(waiting: 1) == nil, "One comes for it.")
        #expect(!roster.needsCheck(waiting: 1))
        #expect(roster.summon(waiting: 3) == .start(2))
        #expect(roster.summon(waiting: 3) == nil)
        #expect(roster.needsCheck(waiting: 3))
        let first = roster.take(1, waiting: 3)
        let second = roster.take(2, waiting: 2)
        #expect(first && second)
        #expect(roster.phases == [1: .working(since: 0), 2: .working(since: 0)])
        #expect(roster.summon(waiting: 1) == nil)
        #expect(roster.needsCheck(waiting: 1))
    }

    @Test(
        "coming → idle: another thread was faster; idle → coming: the thread that has been idle for the shortest time"
    )
    func wakesLastIdleThread() {
        var roster = ThreadRosterTests.busy()
        let tookNone = [roster.take(1, waiting: 0), roster.take(2, waiting: 0)]
        #expect(tookNone == [false, false])
        #expect(roster.phases == [1: .idle, 2: .idle])
        #expect(roster.summon(waiting: 1) == .wake(2))
        #expect(roster.phases[2] == .coming)
        let isTaken = roster.take(2, waiting: 0)
        #expect(!isTaken)
        #expect(roster.phases == [1: .idle, 2: .idle])
        #expect(roster.summon(waiting: 2) == .wake(2))
        #expect(roster.summon(waiting: 2) == .wake(1))
    }

    @Test("working → working: a thread whose job has ended takes the next one")
    func threadTakesNextJob() {
        var roster = ThreadRosterTests.busy()
        roster.check(waiting: 1)
        let isTaken = roster.take(1, waiting: 1)
        #expect(isTaken)
        #expect(roster.phases == [1: .working(since: 1), 2: .working(since: 0)])
    }

    @Test("working → held: at the same job in two checks while others waited, so another thread takes its place")
    func blockedThreadIsReplaced() {
        var roster = ThreadRosterTests.busy()
        roster.check(waiting: 1)
        #expect(roster.phases == [1: .working(since: 0), 2: .working(since: 0)])
        _ = roster.take(2, waiting: 1)
        roster.check(waiting: 1)
        #expect(roster.phases == [1: .held, 2: .working(since: 1)])
        #expect(roster.summon(waiting: 1) == .start(3))
        #expect(roster.summon(waiting: 2) == nil, "Two work or come.")
        let isTaken = roster.take(3, waiting: 2)
        #expect(isTaken)
        #expect(roster.phases[3] == .working(since: 2))
    }

    @Test("working → working: no thread is held while no job waits, however long a job takes")
    func longJobIsNotHeldWhileNoneWait() {
        var roster = ThreadRosterTests.busy()
        for _ in 0..<10 { roster.check(waiting: 0) }
        #expect(roster.phases == [1: .working(since: 0), 2: .working(since: 0)])
    }

    @Test("held → idle, if there is no room; held → working, if there is")
    func heldThreadReturns() {
        var roster = ThreadRosterTests.busy()
        for _ in 0..<2 { roster.check(waiting: 2) }
        #expect(roster.phases == [1: .held, 2: .held])
        #expect(roster.summon(waiting: 2) == .start(3))
        #expect(roster.summon(waiting: 2) == .start(4))
        let taken = [3, 4].map { roster.take($0, waiting: 3) }
        #expect(taken == [true, true])
        let hasRoom = roster.take(1, waiting: 1)
        #expect(!hasRoom)
        #expect(roster.phases[1] == .idle)
        _ = roster.take(3, waiting: 0)
        let hasRoomNow = roster.take(2, waiting: 1)
        #expect(hasRoomNow)
        #expect(roster.phases == [1: .idle, 2: .working(since: 2), 3: .idle, 4: .working(since: 2)])
    }

    @Test("→ coming: no more threads than the limit, however many are held; the jobs wait")
    func boundsNumberOfThreads() {
        var roster = ThreadRosterTests.busy(limit: 3)
        for _ in 0..<2 { roster.check(waiting: 5) }
        #expect(roster.summon(waiting: 5) == .start(3))
        #expect(roster.summon(waiting: 5) == nil)
        _ = roster.take(3, waiting: 5)
        for _ in 0..<2 { roster.check(waiting: 4) }
        #expect(roster.phases.values.map { $0 } == [.held, .held, .held])
        #expect(roster.summon(waiting: 4) == nil)
        let isTaken = roster.take(2, waiting: 4)
        #expect(isTaken)
    }

    @Test("idle → gone: a surplus thread that is not needed for long, but not one that was woken, nor the last ones")
    func surplusThreadEnds() {
        var roster = ThreadRosterTests.busy()
        for _ in 0..<2 { roster.check(waiting: 1) }
        #expect(roster.summon(waiting: 1) == .start(3))
        for thread in 1...3 { _ = roster.take(thread, waiting: 0) }
        #expect(roster.hasSurplus)
        #expect(roster.summon(waiting: 1) == .wake(3))
        let left = [3, 2, 1].map { roster.leave($0) }
        #expect(left == [false, true, false])
        #expect(!roster.hasSurplus)
        #expect(roster.phases == [1: .idle, 3: .coming])
    }

    @Test("coming → gone: a thread that could not be started does not count, and another one is tried")
    func failedStartIsRetried() {
        var roster = ThreadRoster(width: 1, limit: 8)
        #expect(roster.summon(waiting: 1) == .start(1))
        roster.remove(1)
        #expect(roster.phases.isEmpty)
        #expect(roster.needsCheck(waiting: 1))
        #expect(roster.summon(waiting: 1) == .start(2))
    }
}
