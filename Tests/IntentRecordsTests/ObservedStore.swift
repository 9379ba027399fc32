import IntentKit
import IntentRecords
import IntentRuntime
import Synchronization

/// A record store that keeps what it is given, in another store too where there is one, and can fail on demand.
final class ObservedStore: RecordStore {
    private let store: (any RecordStore)?
    private let failures: Mutex<[RecordingError]>
    private let onRecord: @Sendable () async -> Void
    private let kept = Mutex<[LogRecord]>([])
    /// The number of records so far, after each batch.
    private let progress: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - store: The store below; nil for none.
    ///   - failures: The errors of the next batches, the last one first.
    ///   - onRecord: Called before a batch is stored.
    init(
        _ store: (any RecordStore)? = nil,
        failures: [RecordingError] = [],
        onRecord: @escaping @Sendable () async -> Void = {}
    ) {
        self.store = store
        self.failures = Mutex(failures)
        self.onRecord = onRecord
        (self.progress, self.continuation) = AsyncStream.makeStream()
    }

    /// The records so far.
    var records: [LogRecord] { self.kept.withLock(\.self) }

    func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim {
        if let store = self.store { return try await store.claim(partitions) }
        return RecordClaim(
            epochs: Dictionary(uniqueKeysWithValues: partitions.map { ($0, 1) }),
            starts: Dictionary(uniqueKeysWithValues: partitions.map { ($0, nil) })
        )
    }

    func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64] {
        await self.onRecord()
        if let failure = self.failures.withLock({ $0.popLast() }) { throw failure }
        let next = try await self.store?.record(records, under: claim) ?? [:]
        self.continuation.yield(
            self.kept.withLock { kept in
                kept += records
                return kept.count
            }
        )
        return next
    }

    func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError) {
        try await self.store?.pass(offsets, under: claim)
    }

    /// Waits until this many records were given.
    func reach(_ count: Int) async {
        guard count > 0 else { return }
        for await total in self.progress where total >= count { return }
    }

    /// Waits for a record.
    func reach(where fits: (LogRecord) -> Bool) async {
        for await _ in self.progress where self.records.contains(where: fits) { return }
    }
}
