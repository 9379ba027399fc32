/// The newest batches of a partition in memory, without gaps from `firstOffset` to the end of the log.
struct BatchCache: Sendable {
    /// Every batch from this offset on is in memory.
    private(set) var firstOffset: Int64
    /// Bytes held.
    private(set) var byteCount = 0
    private var batches: [RecordBatch] = []
    /// Batches before this index have been dropped; the array is compacted from time to time.
    private var head = 0

    /// Creates an empty cache for a log that ends at the offset.
    init(endOffset: Int64) {
        self.firstOffset = endOffset
    }

    /// Adds a batch that has just been appended to the log, and drops the oldest ones beyond the limit.
    mutating func append(_ batch: RecordBatch, limit: Int) {
        self.batches.append(batch)
        self.byteCount += batch.size
        while self.byteCount > limit, self.head < self.batches.count {
            self.byteCount -= self.batches[self.head].size
            self.firstOffset = self.batches[self.head].header.lastOffset + 1
            self.head += 1
        }
        if self.head > 64, self.head * 2 > self.batches.count {
            self.batches.removeSubrange(0..<self.head)
            self.head = 0
        }
    }

    /// Drops the batches below the offset, which have changed in the log.
    mutating func drop(below offset: Int64) {
        guard offset > self.firstOffset else { return }
        while self.head < self.batches.count, self.batches[self.head].header.lastOffset < offset {
            self.byteCount -= self.batches[self.head].size
            self.head += 1
        }
        self.batches.removeSubrange(0..<self.head)
        self.head = 0
        self.firstOffset = offset
    }

    /// The batches starting with the one that contains the offset, or nil when the log must be read.
    ///
    /// At least one batch is returned, whatever its size, unless the limit is reached at once.
    func read(from offset: Int64, upTo limit: Int64, maxBytes: Int) -> [RecordBatch]? {
        guard offset >= self.firstOffset else { return nil }
        var low = self.head
        var high = self.batches.count
        while low < high {
            let middle = (low + high) / 2
            if self.batches[middle].header.lastOffset < offset { low = middle + 1 } else { high = middle }
        }
        var found: [RecordBatch] = []
        var size = 0
        for batch in self.batches[low...] {
            guard batch.header.baseOffset < limit, found.isEmpty || size + batch.size <= maxBytes else { break }
            found.append(batch)
            size += batch.size
        }
        return found
    }
}
