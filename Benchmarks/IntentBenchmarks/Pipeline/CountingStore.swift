import IntentEvents
import IntentKit
import IntentRecords
import IntentRuntime
import Synchronization

/// Counts by topic what a store has stored.
final class CountingStore: RecordStore {
    private struct State {
        var counts: [TopicName: Int] = [:]
        var waiters: [(isMet: @Sendable ([TopicName: Int]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []
    }

    private let store: any RecordStore
    private let state = Mutex(State())

    /// Wraps this store.
    init(_ store: any RecordStore) {
        self.store = store
    }

    func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim {
        try await self.store.claim(partitions)
    }

    func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64] {
        let offsets = try await self.store.record(records, under: claim)
        let met = self.state.withLock { state in
            for record in records { state.counts[record.topicPartition.topic, default: 0] += 1 }
            let met = state.waiters.filter { $0.isMet(state.counts) }
            if !met.isEmpty { state.waiters.removeAll { $0.isMet(state.counts) } }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
        return offsets
    }

    func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError) {
        try await self.store.pass(offsets, under: claim)
    }

    /// Returns when the counts satisfy the closure.
    func wait(until isMet: @escaping @Sendable ([TopicName: Int]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = self.state.withLock { state in
                if isMet(state.counts) { return true }
                state.waiters.append((isMet, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}
