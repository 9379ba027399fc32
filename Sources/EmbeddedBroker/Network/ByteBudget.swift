import Synchronization

/// Bytes that may be in memory at once; whoever wants some holds a lease meanwhile.
final class ByteBudget: Sendable {
    private struct State {
        var free: Int
        var waiting: [Waiting] = []
    }

    private struct Waiting {
        var bytes: Int
        var grant: @Sendable (ByteLease) -> Void
    }

    /// How many bytes there are in all.
    let total: Int
    private let state: Mutex<State>

    /// A budget of so many bytes.
    init(total: Int) {
        self.total = total
        self.state = Mutex(State(free: total))
    }

    /// The bytes that nobody holds.
    var free: Int { self.state.withLock { $0.free } }

    /// A lease on so many bytes, or nil when there are not enough or others wait for theirs.
    func lease(_ bytes: Int) -> ByteLease? {
        let isThere = self.state.withLock { state in
            guard state.waiting.isEmpty, bytes <= state.free else { return false }
            state.free -= bytes
            return true
        }
        return isThere ? ByteLease(bytes: bytes, of: self) : nil
    }

    /// A lease on so many bytes at once, or nil: then it is granted when its turn has come, on any thread.
    ///
    /// More than there are in all is as much as all of them.
    func lease(_ bytes: Int, orLater grant: @escaping @Sendable (ByteLease) -> Void) -> ByteLease? {
        let bytes = min(bytes, self.total)
        if let lease = self.lease(bytes) { return lease }
        self.state.withLock { $0.waiting.append(Waiting(bytes: bytes, grant: grant)) }
        self.grantWaiting()
        return nil
    }

    /// Takes bytes back.
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

/// Bytes of a budget; they go back when the last reference does.
final class ByteLease: Sendable {
    /// How many.
    let bytes: Int
    private let budget: ByteBudget

    /// Only for the budget itself, which has counted them.
    fileprivate init(bytes: Int, of budget: ByteBudget) {
        self.bytes = bytes
        self.budget = budget
    }

    deinit { self.budget.release(self.bytes) }
}
