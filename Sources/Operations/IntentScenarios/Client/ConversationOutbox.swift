internal import IntentRuntime
import Synchronization

/// Gathers the events that many conversations send while an earlier call is under way; one call at a time keeps their
/// order.
final class ConversationOutbox: Sendable {
    /// The records of one call, and the tasks that wait for it.
    struct Batch {
        var records: [OutgoingRecord] = []
        var senders: [CheckedContinuation<Result<Void, LogError>, Never>] = []
    }

    private struct State {
        var pending = Batch()
        var waiter: CheckedContinuation<Batch?, Never>?
        var failure: LogError?
    }

    private let state = Mutex(State())

    /// Adds records and waits until they are acknowledged.
    func add(_ records: [OutgoingRecord]) async -> Result<Void, LogError> {
        guard !records.isEmpty else { return .success(()) }
        return await withCheckedContinuation { continuation in
            let (failure, waiter, batch) = self.state.withLock { state in
                if let failure = state.failure { return (failure, nil, Batch()) as Transition }
                state.pending.records += records
                state.pending.senders.append(continuation)
                guard let waiter = state.waiter.take() else { return (nil, nil, Batch()) as Transition }
                let batch = state.pending
                state.pending = Batch()
                return (nil, waiter, batch) as Transition
            }
            if let failure { continuation.resume(returning: .failure(failure)) }
            waiter?.resume(returning: batch)
        }
    }

    private typealias Transition = (LogError?, CheckedContinuation<Batch?, Never>?, Batch)

    /// Removes and returns everything that waits to be sent; waits for a first record.
    ///
    /// Nil when the outbox was closed.
    func next() async -> Batch? {
        await withCheckedContinuation { continuation in
            let ready = self.state.withLock { state -> Batch?? in
                if state.failure != nil { return .some(nil) }
                guard !state.pending.records.isEmpty else {
                    state.waiter = continuation
                    return nil
                }
                let batch = state.pending
                state.pending = Batch()
                return batch
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Refuses everything from now on, including what waits.
    func close(_ failure: LogError) {
        let (waiter, senders) = self.state.withLock { state in
            state.failure = state.failure ?? failure
            let senders = state.pending.senders
            state.pending = Batch()
            return (state.waiter.take(), senders)
        }
        waiter?.resume(returning: nil)
        for sender in senders { sender.resume(returning: .failure(failure)) }
    }
}
