import Synchronization

/// Something that ends once, and that tasks can wait for.
final class Ending: Sendable {
    private enum State {
        /// It has not ended, and these continuations wait.
        ///
        /// Leads to `ended`.
        case pending([CheckedContinuation<Void, Never>])
        case ended
    }

    private let state = Mutex(State.pending([]))

    /// Ends it; the waiting tasks continue.
    func end() {
        let waiting: [CheckedContinuation<Void, Never>] = self.state.withLock { state in
            switch state {
            case .ended: return []
            case .pending(let waiting):
                state = .ended
                return waiting
            }
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until it has ended.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasEnded = self.state.withLock { state in
                switch state {
                case .ended: return true
                case .pending(let waiting):
                    state = .pending(waiting + [continuation])
                    return false
                }
            }
            if hasEnded { continuation.resume() }
        }
    }
}
