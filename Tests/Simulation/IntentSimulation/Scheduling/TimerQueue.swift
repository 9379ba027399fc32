/// The scheduled closures, earliest first, in the order of insertion among equals: a binary heap.
struct TimerQueue {
    private struct Alarm {
        var time: Int64
        var number: Int
        var body: () -> Void

        static func < (lhs: Self, rhs: Self) -> Bool { (lhs.time, lhs.number) < (rhs.time, rhs.number) }
    }

    private var heap: [Alarm] = []
    private var count = 0

    /// The time of the first one.
    var next: Int64? { self.heap.first?.time }

    /// Adds a closure.
    mutating func insert(at time: Int64, _ body: @escaping () -> Void) {
        self.count += 1
        self.heap.append(Alarm(time: time, number: self.count, body: body))
        var child = self.heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.heap[child] < self.heap[parent] else { break }
            self.heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the first closure.
    mutating func popFirst() -> (() -> Void)? {
        guard let first = self.heap.first else { return nil }
        self.heap.swapAt(0, self.heap.count - 1)
        self.heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < self.heap.count {
                if self.heap[child] < self.heap[smallest] { smallest = child }
            }
            guard smallest != parent else { break }
            self.heap.swapAt(parent, smallest)
            parent = smallest
        }
        return first.body
    }
}
