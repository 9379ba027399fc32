import Synchronization

/// A number of bytes that may be in memory at once; a user of some of them holds a lease meanwhile.
final class ByteBudget: Sendable {
    private struct State {
        var free: Int
        var waiting: [Waiting] = []
        var lastTicket = 0
    }

    /// The answer to a request for bytes.
    enum Answer {
        case granted(ByteLease)
        /// The bytes are granted later; the ticket withdraws the request.
        case later(ticket: Int)
    }

    private struct Waiting {
        var ticket: Int
        var bytes: Int
        var grant: @Sendable (ByteLease) -> Void
    }

    /// The total number of bytes.
    let total: Int
    private let state: Mutex<State>

    init(total: Int) {
        self.total = total
        self.state = Mutex(State(free: total))
    }

    /// The bytes that no lease holds.
    var free: Int { self.state.withLock { $0.free } }

    /// A lease on this many bytes, or nil when there are not enough or others wait for theirs.
    func lease(_ bytes: Int) -> ByteLease? {
        let isThere = self.state.withLock { state in
            guard state.waiting.isEmpty, bytes <= state.free else { return false }
            state.free -= bytes
            return true
        }
        return isThere ? ByteLease(bytes: bytes, of: self) : nil
    }

    /// A lease on this many bytes at once, or a ticket: then the lease is granted when its turn has come, on any thread.
    ///
    /// A request for more than the total is a request for the total.
    func lease(_ bytes: Int, orLater grant: @escaping @Sendable (ByteLease) -> Void) -> Answer {
        let bytes = min(bytes, self.total)
        if let lease = self.lease(bytes) { return .granted(lease) }
        let ticket = self.state.withLock { state in
            state.lastTicket += 1
            state.waiting.append(Waiting(ticket: state.lastTicket, bytes: bytes, grant: grant))
            return state.lastTicket
        }
        self.grantWaiting()
        return .later(ticket: ticket)
    }

    /// Withdraws a request that is no longer needed: those behind it do not wait for bytes that no request needs.
    func withdraw(_ ticket: Int) {
        self.state.withLock { state in state.waiting.removeAll { $0.ticket == ticket } }
        self.grantWaiting()
    }

    fileprivate func release(_ bytes: Int) {
        self.state.withLock { $0.free += bytes }
        self.grantWaiting()
    }

    private func grantWaiting() {
        while true {
            let next: Waiting? = self.state.withLock { state in
                guard let first = state.waiting.first, first.bytes <= state.free else { return nil }
                state.free -= first.bytes
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            next.grant(ByteLease(bytes: next.bytes, of: self))
        }
    }
}

/// Bytes of a budget; they return to it when the last reference is released.
final class ByteLease: Sendable {
    let bytes: Int
    private let budget: ByteBudget

    /// Only for the budget itself, which has counted them.
    fileprivate init(bytes: Int, of budget: ByteBudget) {
        self.bytes = bytes
        self.budget = budget
    }

    deinit { self.budget.release(self.bytes) }
}
