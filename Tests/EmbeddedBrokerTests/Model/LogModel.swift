@testable import EmbeddedBroker

/// What Kafka's documentation says about one partition's log: offsets, sequence numbers, and which reader sees which
/// records (KIP-98's data flow, without brokers).
struct LogModel {
    /// One batch of data.
    struct Batch {
        var producer: Int64
        var offset: Int64
        var keys: [String]
        var fate: Fate
    }

    /// The fate of a batch's transaction.
    enum Fate { case plain, open, committed, aborted }

    /// A producer's batches of one epoch, oldest first.
    struct Sequences {
        var epoch: Int16
        var batches: [(first: Int32, count: Int32, offset: Int64)] = []
        var next: Int32 { self.batches.last.map { $0.first + $0.count } ?? 0 }
    }

    private(set) var batches: [Batch] = []
    private(set) var sequences: [Int64: Sequences] = [:]
    /// The high watermark.
    private(set) var end: Int64 = 0
    /// The producer and the first offset of each aborted transaction.
    private(set) var aborted: [(producer: Int64, first: Int64)] = []

    /// The offset at which the first open transaction begins, or the end.
    var lastStable: Int64 { self.batches.first { $0.fate == .open }?.offset ?? self.end }

    /// The records that a `read_committed` consumer receives.
    var committedKeys: [String] {
        self.batches.filter { ($0.fate == .plain || $0.fate == .committed) && $0.offset < self.lastStable }
            .flatMap(\.keys)
    }

    /// The aborted transactions that such a consumer needs to know.
    var abortedBelowStable: [(producer: Int64, first: Int64)] { self.aborted.filter { $0.first < self.lastStable } }

    /// The offset at which a repeated batch is already: one of the last five of the producer's epoch.
    func repeated(producer: Int64, epoch: Int16, sequence: Int32, count: Int32) -> Int64? {
        guard let known = self.sequences[producer], known.epoch == epoch else { return nil }
        return known.batches.suffix(5).first { $0.first == sequence && $0.count == count }?.offset
    }

    /// Whether the sequence number continues the producer's, or begins at 0 in a new epoch.
    func follows(producer: Int64, epoch: Int16, sequence: Int32) -> Bool {
        guard let known = self.sequences[producer] else { return true }
        return known.epoch == epoch ? sequence == known.next : sequence == 0
    }

    /// Appends a batch; returns its offset.
    mutating func append(keys: [String], producer: Int64, epoch: Int16, sequence: Int32, isTransactional: Bool) -> Int64
    {
        let offset = self.end
        if producer >= 0 {
            var known = self.sequences[producer] ?? Sequences(epoch: epoch)
            if known.epoch != epoch { known = Sequences(epoch: epoch) }
            known.batches.append((sequence, Int32(keys.count), offset))
            self.sequences[producer] = known
        }
        self.batches.append(
            Batch(producer: producer, offset: offset, keys: keys, fate: isTransactional ? .open : .plain)
        )
        self.end += Int64(keys.count)
        return offset
    }

    /// Writes a marker, which takes an offset.
    mutating func end(producer: Int64, epoch: Int16, isCommit: Bool) {
        let open = self.batches.indices.filter {
            self.batches[$0].producer == producer && self.batches[$0].fate == .open
        }
        for index in open { self.batches[index].fate = isCommit ? .committed : .aborted }
        if !isCommit, let first = open.first { self.aborted.append((producer, self.batches[first].offset)) }
        if self.sequences[producer]?.epoch != epoch { self.sequences[producer] = Sequences(epoch: epoch) }
        self.end += 1
    }
}
