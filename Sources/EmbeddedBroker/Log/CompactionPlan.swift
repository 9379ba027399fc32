import NIOCore

/// What compaction does with one partition's log (`cleanup.policy=compact`): a value that looks at batches and says
/// which to drop and which to write anew.
///
/// It may keep too much, never too little. The latest decided record of a key stays; offsets stay; nothing at or above
/// the end it is given is touched. What is left of a compressed batch is written uncompressed. A batch that cannot be read
/// (earlier versions took such ones) is kept whole and takes no older record with it, because its keys are unknown, and a
/// tombstone behind one stays too, because the value that it deletes may be inside. Records of aborted transactions go,
/// once all of the transaction is below the end, and so do all markers: consumers need them only where there are aborted
/// records.
struct CompactionPlan {
    /// The offset of the latest record of each key.
    private var latest: [[UInt8]: Int64] = [:]
    /// The first batch that cannot be read: behind it no tombstone goes.
    private var firstOpaque = Int64.max
    private let end: Int64
    private let aborted: [Int64: [AbortedTransaction]]
    private let tombstonesBefore: Int64

    /// What becomes of a batch.
    enum Verdict: Sendable {
        /// It stays as it is.
        case keep
        /// All of it goes.
        case drop
        /// These records of it stay.
        case rewrite([Record])
    }

    /// A plan for the records below the end; tombstones older than the time may go.
    init(end: Int64, aborted: [AbortedTransaction], tombstonesBefore: Int64) {
        self.end = end
        self.aborted = Dictionary(grouping: aborted, by: \.producerID)
        self.tombstonesBefore = tombstonesBefore
    }

    /// Whether the plan knows of the aborted transaction, so that nothing of it below the plan's end is left behind it.
    func covers(_ transaction: AbortedTransaction) -> Bool {
        transaction.lastOffset < self.end && self.aborted[transaction.producerID]?.contains(transaction) == true
    }

    /// First pass, in the order of the log: takes note of the keys.
    mutating func note(_ batch: RecordBatch) {
        guard batch.header.lastOffset < self.end, !batch.header.isControl,
            self.abortion(of: batch.header) == nil
        else { return }
        guard let records = Record.records(in: batch) else {
            self.firstOpaque = min(self.firstOpaque, batch.header.baseOffset)
            return
        }
        for record in records {
            if let key = record.key { self.latest[Array(key.readableBytesView)] = record.offset }
        }
    }

    /// Second pass: says what becomes of a batch.
    func verdict(on batch: RecordBatch) -> Verdict {
        guard batch.header.lastOffset < self.end else { return .keep }
        if let abortion = self.abortion(of: batch.header) {
            return abortion.lastOffset < self.end ? .drop : .keep
        }
        if batch.header.isControl { return .drop }
        guard let records = Record.records(in: batch) else { return .keep }
        let kept = records.filter { self.keeps($0) }
        if kept.isEmpty { return .drop }
        return kept.count == records.count ? .keep : .rewrite(kept)
    }

    private func keeps(_ record: Record) -> Bool {
        guard let key = record.key else { return true }
        guard self.latest[Array(key.readableBytesView)] == record.offset else { return false }
        return !(record.isTombstone && record.timestamp < self.tombstonesBefore && record.offset < self.firstOpaque)
    }

    /// The aborted transaction that the batch belongs to, marker or data.
    private func abortion(of header: RecordBatchHeader) -> AbortedTransaction? {
        guard header.isTransactional else { return nil }
        return self.aborted[header.producerID]?
            .first { transaction in
                transaction.firstOffset <= header.baseOffset && header.lastOffset <= transaction.lastOffset
            }
    }
}
