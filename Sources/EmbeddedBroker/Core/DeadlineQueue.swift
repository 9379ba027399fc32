/// The broker's alarm clock: things to look at, the earliest first.
///
/// Entries are never taken out before their time; whoever looks finds out whether there is still something to do.
struct DeadlineQueue: Sendable {
    private var heap: [Entry] = []

    /// What an alarm is about.
    enum Subject: Sendable, Hashable {
        /// A long poll ends.
        case fetch(ReplyToken)
        /// A group's session, join or sync phase may be over.
        case group(String)
        /// A transaction may have taken too long.
        case transaction(String)
        /// Time to look for old records.
        case cleaning
    }

    private struct Entry: Sendable {
        var time: Int64
        var subject: Subject
    }

    /// When the next alarm goes off, on the monotonic clock.
    var next: Int64? { self.heap.first?.time }

    /// Sets an alarm.
    mutating func add(_ subject: Subject, at time: Int64) {
        self.heap.append(Entry(time: time, subject: subject))
        var child = self.heap.count - 1
        while child > 0, self.heap[child].time < self.heap[(child - 1) / 2].time {
            self.heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the next alarm out if its time has come.
    mutating func popDue(at now: BrokerTime) -> Subject? {
        guard let first = self.heap.first, first.time <= now.monotonic else { return nil }
        let last = self.heap.removeLast()
        if self.heap.isEmpty { return first.subject }
        self.heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < self.heap.count else { break }
            let right = left + 1
            let child = right < self.heap.count && self.heap[right].time < self.heap[left].time ? right : left
            guard self.heap[child].time < self.heap[parent].time else { break }
            self.heap.swapAt(child, parent)
            parent = child
        }
        return first.subject
    }
}
