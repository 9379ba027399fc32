/// What one partition remembers of one idempotent or transactional producer (KIP-98).
struct ProducerState: Sendable, Equatable {
    /// How many batches are remembered to recognise repeats; a client may have as many in flight.
    static let rememberedBatches = 5

    /// The latest epoch seen.
    var epoch: Int16
    /// The last batches of this epoch, oldest first.
    var batches: [Appended] = []
    /// Where the open transaction's first record stands; nil when none is open here.
    var openSince: Int64?
    /// The wall-clock time of the last append.
    var lastUsed: Int64

    /// One appended batch.
    struct Appended: Sendable, Equatable {
        /// The first record's sequence number.
        var firstSequence: Int32
        /// The last record's sequence number.
        var lastSequence: Int32
        /// The offset the first record got.
        var baseOffset: Int64
        /// The wall-clock time of the batch.
        var timestamp: Int64
    }

    /// What is to be done with a batch.
    enum Verdict: Sendable, Equatable {
        /// It follows on what is there.
        case append
        /// It is there already.
        case duplicate(Appended)
        /// It may not be appended.
        case refuse(ErrorCode)
    }

    /// Judges a batch against epoch and sequence numbers.
    ///
    /// A producer of which nothing is remembered in its epoch may begin anywhere when its state was lost with time,
    /// but at 0 after a new epoch.
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

    /// Remembers an appended batch.
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
