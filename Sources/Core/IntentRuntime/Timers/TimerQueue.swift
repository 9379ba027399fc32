package import IntentEvents

/// Deadlines of one partition, earliest first: a binary heap.
package struct TimerQueue: Sendable {
    private var heap: [PendingTimer] = []

    package init() {}

    package var next: Timestamp? { self.heap.first?.deadline }

    /// Adds a deadline unless it is in the queue already; this searches all of them.
    package mutating func insertOnce(_ timer: PendingTimer) {
        if !self.heap.contains(timer) { self.insert(timer) }
    }

    package mutating func insert(_ timer: PendingTimer) {
        self.heap.append(timer)
        var child = self.heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.heap[child].deadline < self.heap[parent].deadline else { break }
            self.heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the due deadlines, at most `limit`, earliest first.
    package mutating func popDue(at now: Timestamp, limit: Int) -> [PendingTimer] {
        var due: [PendingTimer] = []
        while due.count < limit, let first = self.heap.first, first.deadline <= now {
            due.append(first)
            self.removeFirst()
        }
        return due
    }

    private mutating func removeFirst() {
        self.heap.swapAt(0, self.heap.count - 1)
        self.heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < self.heap.count {
                if self.heap[child].deadline < self.heap[smallest].deadline { smallest = child }
            }
            guard smallest != parent else { return }
            self.heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
