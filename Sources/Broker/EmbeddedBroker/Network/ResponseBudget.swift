import Synchronization

/// Bytes of responses that their clients have not read yet, over all connections.
///
/// The budget is kept by producing less: a Fetch gets no more records than there is room for. When it is exceeded
/// nevertheless, the connection that holds most is closed: its client does not read.
final class ResponseBudget: Sendable {
    private struct State {
        var held = 0
        var byConnection: [UInt64: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// The room for bytes of records; a quarter is reserved for answers that cannot be made smaller.
    var free: Int { max(0, self.limit / 4 * 3 - self.state.withLock { $0.held }) }

    /// Counts a response until its lease is released.
    func lease(_ bytes: Int, for connection: UInt64) -> ResponseLease {
        self.state.withLock { state in
            state.held += bytes
            state.byConnection[connection, default: 0] += bytes
        }
        return ResponseLease(bytes: bytes, connection: connection, of: self)
    }

    /// The connection that holds most, if all together hold too much.
    var heaviestOfTooMuch: UInt64? {
        self.state.withLock { state in
            state.held > self.limit ? state.byConnection.max { $0.value < $1.value }?.key : nil
        }
    }

    fileprivate func release(_ bytes: Int, of connection: UInt64) {
        self.state.withLock { state in
            state.held -= bytes
            let left = (state.byConnection[connection] ?? 0) - bytes
            state.byConnection[connection] = left > 0 ? left : nil
        }
    }
}

/// A response that counts against the budget until the last reference is released.
final class ResponseLease: Sendable {
    private let bytes: Int
    private let connection: UInt64
    private let budget: ResponseBudget

    /// Only for the budget itself, which has counted it.
    fileprivate init(bytes: Int, connection: UInt64, of budget: ResponseBudget) {
        self.bytes = bytes
        self.connection = connection
        self.budget = budget
    }

    deinit { self.budget.release(self.bytes, of: self.connection) }
}
