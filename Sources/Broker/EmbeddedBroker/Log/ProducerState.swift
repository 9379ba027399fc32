/// The state that one partition keeps of one idempotent or transactional producer (KIP-98).
struct ProducerState: Sendable, Equatable {
    /// The number of batches that are remembered to recognise repeats; a client may have as many in flight.
    static let rememberedBatches = 5

    /// The latest epoch seen.
    var epoch: Int16
    /// The last batches of this epoch, oldest first.
    var batches: [Appended] = []
    /// The offset of the open transaction's first record; nil when none is open here.
    var openSince: Int64?
    /// The wall-clock time of the last append.
    var lastUsed: Int64

    /// One appended batch.
    struct Appended: Sendable, Equatable {
        var firstSequence: Int32
        var lastSequence: Int32
        /// The offset of the first record.
        var baseOffset: Int64
        /// The wall-clock time of the batch.
        var timestamp: Int64
    }

    /// The decision on a batch.
    enum Verdict: Sendable, Equatable {
        /// It follows the last batch.
        case append
        case duplicate(Appended)
        case refuse(ErrorCode)
    }

    /// Decides on a batch by its epoch and sequence numbers.
    ///
    /// When nothing is remembered of a producer's epoch because its state has expired, the producer may begin with any
    /// number. After a new epoch it must begin with 0.
    func verdict(on header: RecordBatchHeader) -> Verdict {
        if header.producerEpoch < self.epoch { return .refuse(.invalidProducerEpoch) }
        if header.producerEpoch > self.epoch {
            return header.baseSequence == 0 ? .append : .refuse(.outOfOrderSequenceNumber)
        }
        let repeated = self.batches.first {
            $0.firstSequence == header.baseSequence && $0.lastSequence == header.lastSequence
        }
        if let repeated { return .duplicate(repeated) }
        guard let last = self.batches.last else {
            return header.baseSequence == 0 ? .append : .refuse(.outOfOrderSequenceNumber)
        }
        let expected = last.lastSequence == .max ? 0 : last.lastSequence + 1
        return header.baseSequence == expected ? .append : .refuse(.outOfOrderSequenceNumber)
    }

    mutating func remember(_ header: RecordBatchHeader, at now: Int64) {
        if header.producerEpoch > self.epoch {
            self.epoch = header.producerEpoch
            self.batches.removeAll()
        }
        if self.batches.count == Self.rememberedBatches { self.batches.removeFirst() }
        self.batches.append(
            Appended(
                firstSequence: header.baseSequence,
                lastSequence: header.lastSequence,
                baseOffset: header.baseOffset,
                timestamp: header.maxTimestamp
            )
        )
        if header.isTransactional, self.openSince == nil { self.openSince = header.baseOffset }
        self.lastUsed = now
    }

    /// Forgets the sequence numbers of older epochs.
    mutating func raise(to epoch: Int16) {
        guard epoch > self.epoch else { return }
        self.epoch = epoch
        self.batches.removeAll()
    }
}
