import NIOCore
import Testing

@testable import EmbeddedBroker

struct DeadlineQueueTests {
    private func due(_ queue: inout DeadlineQueue, at time: Int64) -> DeadlineQueue.Subject? {
        queue.popDue(at: BrokerTime(monotonic: time, wall: 0))
    }

    @Test func earliestDeadlineOfSubjectCounts() {
        var queue = DeadlineQueue()
        queue.add(.group("g"), at: 20)
        queue.add(.transaction("x"), at: 15)
        queue.add(.group("g"), at: 10)
        queue.add(.group("g"), at: 30)
        #expect(self.due(&queue, at: 9) == nil)
        #expect(self.due(&queue, at: 30) == .group("g"))
        #expect(self.due(&queue, at: 30) == .transaction("x"))
        #expect(self.due(&queue, at: 30) == nil)
        #expect(queue.next == nil)
    }

    @Test func cancelledTimersDoNotAccumulate() {
        var queue = DeadlineQueue()
        for number in 0..<10_000 {
            let subject = DeadlineQueue.Subject.fetch(ReplyToken(connection: 1, sequence: UInt64(number)))
            queue.add(subject, at: 1_000_000)
            queue.remove(subject)
        }
        #expect(queue.count < 100)
    }

    @Test("Transactions that end early leave no timers behind, however long their timeouts")
    func endedTransactionsLeaveNoTimers() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x", timeoutMs: 900_000)
                for _ in 0..<1_000 {
                    _ = try broker.begin("x", producer)
                    _ = try broker.end("x", producer, commit: true)
                    try broker.pass(.milliseconds(1))
                }
                #expect(broker.core.deadlines.count < 100)
            }
        }
    }
}
