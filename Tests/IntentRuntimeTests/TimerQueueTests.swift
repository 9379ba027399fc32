import IntentEvents
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("The deadlines of a partition (R13)")
struct TimerQueueTests {
    private static func timer(_ number: Int, at milliseconds: Int64) -> PendingTimer {
        PendingTimer(
            kind: .prompt,
            deadline: Timestamp(milliseconds: milliseconds),
            user: "u\(number)",
            name: .interaction("0:1")
        )
    }

    @Test("waiting → due: the earliest timers come first, and no more at once than requested")
    func earliestTimersComeFirst() {
        var random = SeededNumbers(seed: 4)
        var queue = TimerQueue()
        let times = (0..<500).map { _ in Int64.random(in: 0..<100, using: &random) }
        for (number, time) in times.enumerated() { queue.insert(Self.timer(number, at: time)) }
        #expect(queue.next?.milliseconds == times.min())
        var due: [Int64] = []
        while true {
            let part = queue.popDue(at: Timestamp(milliseconds: 60), limit: 7).map(\.deadline.milliseconds)
            #expect(part.count <= 7)
            if part.isEmpty { break }
            due += part
        }
        #expect(due == times.filter { $0 <= 60 }.sorted())
        #expect(queue.next?.milliseconds == times.filter { $0 > 60 }.min())
    }

    @Test("due → waiting: a timer that is already there is not added again")
    func knownTimerIsNotAddedAgain() {
        var queue = TimerQueue()
        for _ in 0..<2 {
            queue.insertOnce(Self.timer(1, at: 5))
            queue.insertOnce(Self.timer(2, at: 5))
        }
        let due = queue.popDue(at: Timestamp(milliseconds: 5), limit: 10)
        #expect(Set(due.map(\.user)) == ["u1", "u2"] && due.count == 2)
        queue.insertOnce(Self.timer(1, at: 5))
        #expect(queue.next?.milliseconds == 5)
    }
}
