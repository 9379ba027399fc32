import IntentKit
import IntentRecords
import IntentRuntime
import Synchronization

/// A store that reports the number of records that it was given, and can fail on demand.
final class ObservedStore: RecordStore {
    private let store: any RecordStore
    private let failures: Mutex<[RecordingError]>
    private let total = Mutex(0)
    /// The number of records so far, after each batch.
    let progress: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init(_ store: any RecordStore, failures: [RecordingError] = []) {
        self.store = store
        self.failures = Mutex(failures)
        (self.progress, self.continuation) = AsyncStream.makeStream()
    }

    func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim {
        try await self.store.claim(partitions)
    }

    func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64] {
        if let failure = self.failures.withLock({ $0.popLast() }) { throw failure }
        let next = try await self.store.record(records, under: claim)
        self.continuation.yield(
            self.total.withLock { total in
                total += records.count
                return total
            }
        )
        return next
    }

    func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError) {
        try await self.store.pass(offsets, under: claim)
    }

    /// Waits until this many records were given.
    func reach(_ count: Int) async {
        guard count > 0 else { return }
        for await total in self.progress where total >= count { return }
    }
}
