/// The timers, by time: at most one for each subject, namely the earliest that was requested.
///
/// The code that a timer wakes checks whether there is still something to do, and sets the next timer.
struct DeadlineQueue: Sendable {
    private var heap: [Entry] = []
    /// The timer of each subject; other entries in the heap are void.
    private var times: [Subject: Int64] = [:]

    /// The subject of a timer.
    enum Subject: Sendable, Hashable {
        /// A long poll ends.
        case fetch(ReplyToken)
        /// A group's session, join or sync phase may be over.
        case group(Name)
        /// A transaction may have taken too long.
        case transaction(Name)
        /// The next run of the cleaning is due.
        case cleaning
    }

    private struct Entry: Sendable {
        var time: Int64
        var subject: Subject
    }

    /// The earliest time at which a timer can fire, on the monotonic clock.
    var next: Int64? { self.heap.first?.time }

    /// The number of entries, including void ones.
    var count: Int { self.heap.count }

    /// Sets a timer, unless the subject has an earlier one.
    mutating func add(_ subject: Subject, at time: Int64) {
        guard time < self.times[subject] ?? .max else { return }
        self.times[subject] = time
        self.push(Entry(time: time, subject: subject))
        self.dropVoidEntries()
    }

    mutating func remove(_ subject: Subject) {
        self.times[subject] = nil
        self.dropVoidEntries()
    }

    /// Removes and returns the next timer if it is due.
    mutating func popDue(at now: BrokerTime) -> Subject? {
        while let first = self.heap.first, first.time <= now.monotonic {
            self.pop()
            guard self.times[first.subject] == first.time else { continue }
            self.times[first.subject] = nil
            return first.subject
        }
        return nil
    }

    /// Keeps the heap in proportion: a client may ask for long waits and end them early, again and again.
    private mutating func dropVoidEntries() {
        guard self.heap.count > 2 * self.times.count + 64 else { return }
        self.heap.removeAll(keepingCapacity: true)
        for (subject, time) in self.times { self.push(Entry(time: time, subject: subject)) }
    }

    private mutating func push(_ entry: Entry) {
        self.heap.append(entry)
        var child = self.heap.count - 1
        while child > 0, self.heap[child].time < self.heap[(child - 1) / 2].time {
            self.heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() {
        let last = self.heap.removeLast()
        if self.heap.isEmpty { return }
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
    }
}
