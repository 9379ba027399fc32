internal import Synchronization

/// How many there are, and may be.
final class ConnectionLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    /// Begins with none.
    init(_ limit: Int) { self.limit = limit }

    /// One more, if there may be; whether there is.
    func enter() -> Bool {
        self.count.withLock { count in
            count += 1
            return count <= self.limit
        }
    }

    /// One less: also for each that was not let in.
    func leave() { self.count.withLock { $0 -= 1 } }
}
