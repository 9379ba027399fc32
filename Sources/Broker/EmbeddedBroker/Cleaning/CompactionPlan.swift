import NIOCore

/// What compaction does with one partition's log (`cleanup.policy=compact`): a value that examines batches and decides
/// which to drop and which to rewrite.
///
/// It may keep too much, never too little. The latest decided record of a key stays, offsets stay, and nothing at or
/// above the given end is touched. What remains of a compressed batch is written uncompressed.
///
/// A batch that cannot be read (earlier versions accepted such batches) is kept whole. Its keys are unknown, so no
/// older record is removed because of it. A tombstone after it stays too, because the value that the tombstone deletes
/// may be inside.
///
/// Records of aborted transactions are removed once all of the transaction is below the end. All markers are removed
/// then too: consumers need them only where there are aborted records.
struct CompactionPlan {
    /// The offset of the latest record of each key.
    private var latest: [[UInt8]: Int64] = [:]
    /// The offset of the first batch that cannot be read: no tombstone after it is removed.
    private var firstOpaque = Int64.max
    private let end: Int64
    private let aborted: [Int64: [AbortedTransaction]]
    private let tombstonesBefore: Int64

    /// The decision on a batch.
    enum Verdict: Sendable {
        case keep
        case drop
        /// Only these records of the batch stay.
        case rewrite([Record])
    }

    /// Creates a plan for the records below the end; tombstones older than the time may be dropped.
    init(end: Int64, aborted: [AbortedTransaction], tombstonesBefore: Int64) {
        self.end = end
        self.aborted = Dictionary(grouping: aborted, by: \.producerID)
        self.tombstonesBefore = tombstonesBefore
    }

    /// Whether the plan covers all of an aborted transaction that is below its end.
    func covers(_ transaction: AbortedTransaction) -> Bool {
        transaction.lastOffset < self.end && self.aborted[transaction.producerID]?.contains(transaction) == true
    }

    /// First pass, in the order of the log: records the keys.
    mutating func record(_ batch: RecordBatch) {
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

    /// Second pass: decides on a batch.
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

    /// The aborted transaction to which the batch belongs, marker or data.
    private func abortion(of header: RecordBatchHeader) -> AbortedTransaction? {
        guard header.isTransactional else { return nil }
        return self.aborted[header.producerID]?
            .first { transaction in
                transaction.firstOffset <= header.baseOffset && header.lastOffset <= transaction.lastOffset
            }
    }
}
