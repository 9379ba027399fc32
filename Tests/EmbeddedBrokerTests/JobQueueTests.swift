import Synchronization
import Testing

@testable import EmbeddedBroker

struct JobQueueTests {
    @Test("The loop is woken once for all pending jobs, including those that came before it subscribed")
    func wakesLoopOncePerBatchOfJobs() {
        let queue = JobQueue()
        let calls = Mutex(0)
        queue.add([.closed(connection: 1)])
        queue.onArrival { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1)
        queue.add([.closed(connection: 2)])
        #expect(calls.withLock { $0 } == 1)
        #expect(queue.drain().count == 2)
        #expect(queue.drain().isEmpty)
        queue.add([.closed(connection: 3), .stop])
        queue.add([.stop])
        #expect(calls.withLock { $0 } == 2)
        #expect(queue.drain().count == 3)
    }

    @Test("Waiters resume when it ends, and those that come later do not wait", .timeLimit(.minutes(1)))
    func endingResumesEarlierAndLaterWaiters() async {
        let ending = Ending()
        async let early: Void = ending.wait()
        async let other: Void = ending.wait()
        ending.end()
        ending.end()
        await early
        await other
        await ending.wait()
    }
}
