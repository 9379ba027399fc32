internal import IntentKit
import Synchronization

/// The commit of a note that a handler waits for.
///
/// | a commit is | goes to |
/// |---|---|
/// | open: the handler does not wait yet | waiting, or ended |
/// | waiting | ended, when the note is committed or dropped, or when the handler's task is cancelled |
/// | ended | – |
package final class NoteCommit: Sendable {
    package enum End: Sendable {
        case committed
        /// The turn is over, or another process continues it.
        case dropped
        /// The state has no room for it.
        case tooLarge
    }

    private enum State {
        case open
        case waiting(CheckedContinuation<End, Never>)
        case ended(End)
    }

    private let state = Mutex(State.open)

    package init() {}

    /// Ends it; only the first end counts.
    package func end(_ end: End) {
        let waiter = self.state.withLock { state -> CheckedContinuation<End, Never>? in
            switch state {
            case .open:
                state = .ended(end)
                return nil
            case .waiting(let continuation):
                state = .ended(end)
                return continuation
            case .ended: return nil
            }
        }
        waiter?.resume(returning: end)
    }

    /// Waits for the end; one caller waits.
    ///
    /// - Throws: `CancellationError` when the note was dropped, or the task is cancelled; `JournaledError` when it is
    ///   too large.
    func value() async throws {
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<End, Never>) in
                let end = self.state.withLock { state -> End? in
                    if case .ended(let end) = state { return end }
                    state = .waiting(continuation)
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            self.end(.dropped)
        }
        switch end {
        case .committed: return
        case .dropped: throw CancellationError()
        case .tooLarge:
            throw JournaledError(
                message: "The turn's event and the results of its steps together are larger than the state accepts "
                    + "(\(RecordLimits.value) bytes).",
                isTransient: false
            )
        }
    }
}
