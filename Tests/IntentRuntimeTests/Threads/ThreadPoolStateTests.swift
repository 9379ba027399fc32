import Testing

@testable import IntentRuntime

/// Each test names the transitions of a thread that it is about: starting, working, held, idle, gone.
@Suite("States of the threads for turns")
struct ThreadPoolStateTests {
    /// A pool of two threads that work on a job each.
    private static func busy(limit: Int = 8) -> ThreadPoolState {
        var threads = ThreadPoolState(width: 2, limit: limit)
        for waiting in [1, 1] {
            guard case .start(let thread) = threads.activate(waiting: waiting) else { continue }
            _ = threads.take(thread, waiting: waiting)
        }
        return threads
    }

    @Test("→ starting → working: a thread is started for each job, up to the width")
    func startsThreadPerJobUpToWidth() {
        var threads = ThreadPoolState(width: 2, limit: 8)
        #expect(threads.activate(waiting: 0) == nil)
        #expect(threads.activate(waiting: 1) == .start(1))
        #expect(threads.activate(waiting: 1) == nil, "One comes for it.")
        #expect(!threads.needsCheck(waiting: 1))
        #expect(threads.activate(waiting: 3) == .start(2))
        #expect(threads.activate(waiting: 3) == nil)
        #expect(threads.needsCheck(waiting: 3))
        let first = threads.take(1, waiting: 3)
        let second = threads.take(2, waiting: 2)
        #expect(first && second)
        #expect(threads.phases == [1: .working(since: 0), 2: .working(since: 0)])
        #expect(threads.activate(waiting: 1) == nil)
        #expect(threads.needsCheck(waiting: 1))
    }

    @Test(
        "starting → idle: another thread was faster; idle → starting: the thread that has been idle for the shortest time"
    )
    func wakesLastIdleThread() {
        var threads = ThreadPoolStateTests.busy()
        let tookNone = [threads.take(1, waiting: 0), threads.take(2, waiting: 0)]
        #expect(tookNone == [false, false])
        #expect(threads.phases == [1: .idle, 2: .idle])
        #expect(threads.activate(waiting: 1) == .wake(2))
        #expect(threads.phases[2] == .starting)
        let isTaken = threads.take(2, waiting: 0)
        #expect(!isTaken)
        #expect(threads.phases == [1: .idle, 2: .idle])
        #expect(threads.activate(waiting: 2) == .wake(2))
        #expect(threads.activate(waiting: 2) == .wake(1))
    }

    @Test("working → working: a thread whose job has ended takes the next one")
    func threadTakesNextJob() {
        var threads = ThreadPoolStateTests.busy()
        threads.check(waiting: 1)
        let isTaken = threads.take(1, waiting: 1)
        #expect(isTaken)
        #expect(threads.phases == [1: .working(since: 1), 2: .working(since: 0)])
    }

    @Test("working → held: at the same job in two checks while others waited, so another thread takes its place")
    func blockedThreadIsReplaced() {
        var threads = ThreadPoolStateTests.busy()
        threads.check(waiting: 1)
        #expect(threads.phases == [1: .working(since: 0), 2: .working(since: 0)])
        _ = threads.take(2, waiting: 1)
        threads.check(waiting: 1)
        #expect(threads.phases == [1: .held, 2: .working(since: 1)])
        #expect(threads.activate(waiting: 1) == .start(3))
        #expect(threads.activate(waiting: 2) == nil, "Two work or come.")
        let isTaken = threads.take(3, waiting: 2)
        #expect(isTaken)
        #expect(threads.phases[3] == .working(since: 2))
    }

    @Test("working → working: no thread is held while no job waits, however long a job takes")
    func longJobIsNotHeldWhileNoneWait() {
        var threads = ThreadPoolStateTests.busy()
        for _ in 0..<10 { threads.check(waiting: 0) }
        #expect(threads.phases == [1: .working(since: 0), 2: .working(since: 0)])
    }

    @Test("held → idle, if there is no room; held → working, if there is")
    func heldThreadReturns() {
        var threads = ThreadPoolStateTests.busy()
        for _ in 0..<2 { threads.check(waiting: 2) }
        #expect(threads.phases == [1: .held, 2: .held])
        #expect(threads.activate(waiting: 2) == .start(3))
        #expect(threads.activate(waiting: 2) == .start(4))
        let taken = [3, 4].map { threads.take($0, waiting: 3) }
        #expect(taken == [true, true])
        let hasRoom = threads.take(1, waiting: 1)
        #expect(!hasRoom)
        #expect(threads.phases[1] == .idle)
        _ = threads.take(3, waiting: 0)
        let hasRoomNow = threads.take(2, waiting: 1)
        #expect(hasRoomNow)
        #expect(threads.phases == [1: .idle, 2: .working(since: 2), 3: .idle, 4: .working(since: 2)])
    }

    @Test("→ starting: no more threads than the limit, however many are held; the jobs wait")
    func boundsNumberOfThreads() {
        var threads = ThreadPoolStateTests.busy(limit: 3)
        for _ in 0..<2 { threads.check(waiting: 5) }
        #expect(threads.activate(waiting: 5) == .start(3))
        #expect(threads.activate(waiting: 5) == nil)
        _ = threads.take(3, waiting: 5)
        for _ in 0..<2 { threads.check(waiting: 4) }
        #expect(threads.phases.values.map { $0 } == [.held, .held, .held])
        #expect(threads.activate(waiting: 4) == nil)
        let isTaken = threads.take(2, waiting: 4)
        #expect(isTaken)
    }

    @Test("idle → gone: a surplus thread that is not needed for long, but not one that was woken, nor the last ones")
    func surplusThreadEnds() {
        var threads = ThreadPoolStateTests.busy()
        for _ in 0..<2 { threads.check(waiting: 1) }
        #expect(threads.activate(waiting: 1) == .start(3))
        for thread in 1...3 { _ = threads.take(thread, waiting: 0) }
        #expect(threads.hasSurplus)
        #expect(threads.activate(waiting: 1) == .wake(3))
        let left = [3, 2, 1].map { threads.leave($0) }
        #expect(left == [false, true, false])
        #expect(!threads.hasSurplus)
        #expect(threads.phases == [1: .idle, 3: .starting])
    }

    @Test("starting → gone: a thread that could not be started does not count, and another one is tried")
    func failedStartIsRetried() {
        var threads = ThreadPoolState(width: 1, limit: 8)
        #expect(threads.activate(waiting: 1) == .start(1))
        threads.remove(1)
        #expect(threads.phases.isEmpty)
        #expect(threads.needsCheck(waiting: 1))
        #expect(threads.activate(waiting: 1) == .start(2))
    }
}
