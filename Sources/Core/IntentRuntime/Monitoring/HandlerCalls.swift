internal import Synchronization

/// How many calls of one intent's handler are in flight in a stage.
final class HandlerCalls: Sendable {
    private let all = Atomic(0)
    private let parked = Atomic(0)
    private let wasCalled = Atomic(false)

    func begin() {
        self.wasCalled.store(true, ordering: .relaxed)
        self.all.add(1, ordering: .relaxed)
    }

    func end() { self.all.subtract(1, ordering: .relaxed) }

    /// A turn of the intent is parked while its handler works.
    func park() { self.parked.add(1, ordering: .relaxed) }

    /// A parked turn has ended.
    func leave() { self.parked.subtract(1, ordering: .relaxed) }

    /// The calls of turns that hold their batch, and those of parked turns; nil before the first call.
    var inFlight: (running: Int, parked: Int)? {
        guard self.wasCalled.load(ordering: .relaxed) else { return nil }
        let parked = self.parked.load(ordering: .relaxed)
        // A parked turn is between two calls for a moment.
        return (max(0, self.all.load(ordering: .relaxed) - parked), parked)
    }
}
