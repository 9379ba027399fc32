import Synchronization

/// The signal on which one task waits: a change, a wake, or its time-out, whichever comes first; none is lost.
package final class Signal: Sendable {
    /// The reason why a wait has ended.
    package enum Reason: Sendable {
        /// There may be something new.
        case changed
        /// A caller wants the poll to return.
        case woken
        /// The time-out of this wait has expired.
        case expired
    }

    private struct State {
        var hasChanged = false
        var isWoken = false
        var wait = 0
        /// Whether the time-out of the current wait has expired before the wait had a continuation.
        var isExpired = false
        var continuation: CheckedContinuation<Reason, Never>?

        /// Returns and clears the reason to end a wait, if there is one.
        mutating func consumeReason() -> Reason? {
            if self.isWoken {
                self.isWoken = false
                return .woken
            }
            if self.hasChanged {
                self.hasChanged = false
                return .changed
            }
            return nil
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Signals that there may be something new.
    package func change() { self.end { $0.hasChanged = true } }

    /// Ends the current wait, or else the next one.
    package func wake() { self.end { $0.isWoken = true } }

    /// Returns and clears a wake that has not ended a wait.
    package func consumeWake() -> Bool {
        self.state.withLock { state in
            defer { state.isWoken = false }
            return state.isWoken
        }
    }

    /// Waits; one caller at a time.
    ///
    /// A cancelled task is woken.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait; nil for no end.
    ///   - clock: The clock that measures it.
    /// - Returns: Why the wait has ended.
    package func wait(for timeout: Duration?, clock: any Clock<Duration>) async -> Reason {
        if let timeout, timeout <= .zero {
            return self.state.withLock { $0.consumeReason() } ?? .expired
        }
        let wait = self.state.withLock { state in
            state.wait += 1
            state.isExpired = false
            return state.wait
        }
        let timer = timeout.map { timeout in
            Task {
                // The sleep is cancelled when the wait has ended for another reason.
                guard (try? await clock.sleep(for: timeout)) != nil else { return }
                self.expire(wait)
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let reason = self.state.withLock { state in
                    let reason = state.consumeReason() ?? (state.isExpired ? .expired : nil)
                    if reason == nil { state.continuation = continuation }
                    return reason
                }
                if let reason { continuation.resume(returning: reason) }
            }
        } onCancel: {
            self.wake()
        }
    }

    private func expire(_ wait: Int) {
        let continuation = self.state.withLock { state in
            guard state.wait == wait else { return nil as CheckedContinuation<Reason, Never>? }
            state.isExpired = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: .expired)
    }

    private func end(_ change: (inout State) -> Void) {
        let ended = self.state.withLock { state in
            change(&state)
            guard let continuation = state.continuation, let reason = state.consumeReason() else {
                return nil as (CheckedContinuation<Reason, Never>, Reason)?
            }
            state.continuation = nil
            return (continuation, reason)
        }
        if let (continuation, reason) = ended { continuation.resume(returning: reason) }
    }
}
