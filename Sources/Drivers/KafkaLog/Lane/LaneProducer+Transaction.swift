import CRDKafka
import IntentRuntime

extension LaneProducer {
    /// Writes records and offsets as one transaction; blocks until it is committed, at most until the deadline.
    ///
    /// Transient errors are handled here: the transaction is aborted and made again from memory. Errors that the caller
    /// has to know are thrown: all of them except `recordTooLarge` and `unknownTopic` end the producer's life.
    func commitTransaction(
        _ batch: LaneCommit,
        as membership: borrowing GroupMembership,
        deadline: ContinuousClock.Instant
    ) throws(LogError) {
        try self.prepare(batch.records)
        self.waitAfterCommit()
        let offsets = PartitionList(batch.offsets.lazy.map { ($0.key, $0.value) })
        var attempt = 0
        while true {
            _ = self.client.context.popRefusal()
            do {
                try self.attempt(batch.records, offsets, membership, deadline: deadline)
                self.recordCommit()
                return
            } catch let failure {
                try self.recover(from: failure, attempt: attempt, deadline: deadline)
                attempt += 1
            }
        }
    }

    private func attempt(
        _ records: [OutgoingRecord],
        _ offsets: borrowing PartitionList,
        _ membership: borrowing GroupMembership,
        deadline: ContinuousClock.Instant
    ) throws(TransactionFailure) {
        let handle = self.client.handle
        try self.call(.open, deadline) { _ in rd_kafka_begin_transaction(handle) }
        // The records come first: they are in flight while the offsets, which need two answers, are sent.
        try self.write(records)
        let list = offsets.pointer
        let metadata = membership.pointer
        try self.call(.open, deadline) { timeout in
            rd_kafka_send_offsets_to_transaction(handle, list, metadata, timeout)
        }
        try self.call(.ending, deadline) { timeout in rd_kafka_commit_transaction(handle, timeout) }
    }

    /// Repeats a call while librdkafka says that the same call may succeed.
    private func call(
        _ stage: TransactionFailure.Stage,
        _ deadline: ContinuousClock.Instant,
        _ body: (_ timeout: Int32) -> OpaquePointer?
    ) throws(TransactionFailure) {
        while let error = body(max(deadline.remaining.milliseconds, 1)) {
            let failure = TransactionFailure(taking: error, stage: stage)
            guard failure.isRetriable, !failure.isFatal, !failure.requiresAbort, deadline.remaining > .zero else {
                throw failure
            }
        }
    }

    /// Returns when the same batch may be tried again.
    private func recover(
        from failure: TransactionFailure,
        attempt: Int,
        deadline: ContinuousClock.Instant
    ) throws(LogError) {
        let refusal = self.client.context.popRefusal()
        let code = LogError.code(of: refusal ?? failure.code)
        let reason = failure.message
        // A refused record prevents librdkafka from requesting the commit at all.
        let isUncommitted = failure.stage == .open || failure.requiresAbort || refusal != nil
        guard isUncommitted else { throw LogError(.outcomeUnknown, "no response to a commit: \(reason)") }
        guard !failure.isFatal else {
            throw LogError(code == .fenced ? .fenced : .other, "the transaction was not committed: \(reason)")
        }
        try self.abort(deadline: deadline)
        switch code {
        case .fenced, .recordTooLarge, .unknownTopic, .notAuthorized, .configuration:
            throw LogError(code, "the transaction was aborted: \(reason)")
        default:
            guard deadline.remaining > .zero, attempt < 8 else {
                throw LogError(code, "the transaction was aborted \(attempt + 1) times: \(reason)", isRetriable: true)
            }
            OwnThread.sleep(.milliseconds(5 << attempt))
        }
    }

    /// Aborts the open transaction.
    /// - Throws: ``LogError``: the producer is no longer usable, and the transaction is not committed.
    func abort(deadline: ContinuousClock.Instant) throws(LogError) {
        let handle = self.client.handle
        // Even at the deadline an abort gets a moment: it leaves a usable lane.
        let deadline = max(deadline, ContinuousClock.now + .seconds(1))
        do {
            try self.call(.open, deadline) { timeout in rd_kafka_abort_transaction(handle, timeout) }
        } catch let failure {
            let code = LogError.code(of: failure.code)
            throw LogError(code, "the transaction could not be aborted: \(failure.message)")
        }
        _ = self.client.context.popRefusal()
    }
}
