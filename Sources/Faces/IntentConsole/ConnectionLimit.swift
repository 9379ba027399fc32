internal import Synchronization

/// Counts connections against a limit.
final class ConnectionLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Counts one more, if the limit allows it; returns whether it does.
    func enter() -> Bool {
        self.count.withLock { count in
            count += 1
            return count <= self.limit
        }
    }

    /// Counts one less; also called for each connection that was refused.
    func leave() { self.count.withLock { $0 -= 1 } }
}
