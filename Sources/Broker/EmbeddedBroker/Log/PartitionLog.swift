/// The outline of one partition's log, without the records themselves: offsets, producers, transactions.
///
/// Every transition happens in memory. The caller stores the batch that is returned, in the same SQLite transaction as
/// the producers that `drainDirtyProducers()` names.
struct PartitionLog: Sendable {
    /// The row in the store.
    let id: Int64
    /// The first offset that can be read.
    private(set) var startOffset: Int64
    /// The offset of the next record; also the high watermark, because answers wait for the store.
    private(set) var endOffset: Int64
    private(set) var producers: [Int64: ProducerState]
    /// The aborted transactions that are still in the log, by their last offsets.
    private(set) var aborted: [AbortedTransaction]
    /// The newest batches.
    var cache: BatchCache
    private var dirtyProducers: Set<Int64> = []
    /// The producers with an open transaction here.
    private var openProducers: Set<Int64>

    /// Creates a log from what the store has.
    init(
        id: Int64,
        startOffset: Int64 = 0,
        endOffset: Int64 = 0,
        producers: [Int64: ProducerState] = [:],
        aborted: [AbortedTransaction] = []
    ) {
        self.id = id
        self.startOffset = startOffset
        self.endOffset = endOffset
        self.producers = producers
        self.aborted = aborted
        self.openProducers = Set(producers.filter { $0.value.openSince != nil }.keys)
        self.cache = BatchCache(endOffset: endOffset)
    }

    /// The offset below which every transaction has been decided (the protocol's last stable offset).
    var lastStableOffset: Int64 {
        self.openProducers.reduce(self.endOffset) { min($0, self.producers[$1]?.openSince ?? $0) }
    }

    /// The result of appending a produced batch.
    enum Appended: Sendable {
        /// It was appended and must be stored.
        case new(RecordBatch)
        case duplicate(ProducerState.Appended)
    }

    /// Appends a batch of data if its producer may.
    mutating func append(_ batch: RecordBatch, at now: BrokerTime) throws(AppendRefusal) -> Appended {
        let header = batch.header
        if header.hasProducerID, let state = self.producers[header.producerID] {
            switch state.verdict(on: header) {
            case .append: break
            case .duplicate(let earlier): return .duplicate(earlier)
            case .refuse(let code): throw AppendRefusal(code: code)
            }
            // Data outside a transaction may not be added to an open transaction of the same producer.
            if !header.isTransactional, state.openSince != nil { throw AppendRefusal(code: .invalidTransactionState) }
        }
        guard self.endOffset + Int64(header.recordCount) < BatchKey.maxOffset else {
            throw AppendRefusal(code: .invalidRecord)
        }
        let placed = batch.placed(at: self.endOffset)
        if header.hasProducerID {
            let fresh = ProducerState(epoch: header.producerEpoch, lastUsed: now.wall)
            self.producers[header.producerID, default: fresh].remember(placed.header, at: now.wall)
            // Outside a transaction none is open: the check above has ensured that.
            if header.isTransactional { self.openProducers.insert(header.producerID) }
            self.dirtyProducers.insert(header.producerID)
        }
        self.endOffset = placed.header.lastOffset + 1
        return .new(placed)
    }

    /// Ends the producer's transaction here; the marker must be stored, and the aborted range if there is one.
    mutating func end(
        producerID: Int64,
        producerEpoch: Int16,
        with marker: ControlMarker,
        at now: BrokerTime
    ) -> (marker: RecordBatch, aborted: AbortedTransaction?) {
        let batch = marker.batch(
            producerID: producerID,
            producerEpoch: producerEpoch,
            at: self.endOffset,
            timestamp: now.wall
        )
        self.endOffset += 1
        var state = self.producers[producerID] ?? ProducerState(epoch: producerEpoch, lastUsed: now.wall)
        var transaction: AbortedTransaction?
        if let first = state.openSince, marker == .abort {
            let aborted = AbortedTransaction(
                producerID: producerID,
                firstOffset: first,
                lastOffset: batch.header.baseOffset
            )
            self.aborted.append(aborted)
            transaction = aborted
        }
        state.openSince = nil
        self.openProducers.remove(producerID)
        state.raise(to: producerEpoch)
        state.lastUsed = now.wall
        self.producers[producerID] = state
        self.dirtyProducers.insert(producerID)
        return (batch, transaction)
    }

    /// The aborted transactions that a `read_committed` reader of these offsets needs to know.
    func aborted(from offset: Int64, upTo end: Int64) -> [AbortedTransaction] {
        var low = 0
        var high = self.aborted.count
        while low < high {
            let middle = (low + high) / 2
            if self.aborted[middle].lastOffset < offset { low = middle + 1 } else { high = middle }
        }
        return self.aborted[low...].filter { $0.firstOffset < end }
    }

    /// Drops everything below the offset; false when nothing changes.
    mutating func moveStart(to offset: Int64) -> Bool {
        guard offset > self.startOffset, offset <= self.endOffset else { return false }
        self.startOffset = offset
        self.aborted.removeAll { $0.lastOffset < offset }
        return true
    }

    /// Forgets an aborted transaction whose records have all been deleted.
    mutating func forget(_ transaction: AbortedTransaction) {
        self.aborted.removeAll { $0 == transaction }
    }

    /// Forgets producers that have been silent since before the time and have no open transaction.
    mutating func expireProducers(before time: Int64) -> [Int64] {
        let expired = self.producers.filter { $0.value.lastUsed < time && $0.value.openSince == nil }.map(\.key)
        for producer in expired {
            self.producers[producer] = nil
            self.dirtyProducers.remove(producer)
        }
        return expired
    }

    /// Returns the producers whose state must be stored, and resets the list.
    mutating func drainDirtyProducers() -> Set<Int64> {
        defer { self.dirtyProducers = [] }
        return self.dirtyProducers
    }
}

struct AppendRefusal: Error, Equatable {
    var code: ErrorCode
}

/// A range of one partition in which one producer's records do not count.
struct AbortedTransaction: Sendable, Hashable {
    var producerID: Int64
    /// The offset of the transaction's first record.
    var firstOffset: Int64
    /// The offset of the abort marker.
    var lastOffset: Int64
}
