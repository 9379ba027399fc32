import IntentRuntime

/// One partition's records, with the gaps that markers and aborted transactions leave.
struct PartitionLog {
    /// The records, by offset, including those of open transactions.
    private(set) var records: [LogRecord] = []
    /// The first offset that is still held.
    private(set) var start: Int64 = 0
    /// The offset of the next record: the partition's end.
    private(set) var end: Int64 = 0
    /// The offsets that open transactions have written, by their numbers.
    private var open: [Int: [Int64]] = [:]

    /// The position at which readers of committed records stop: the first record of an open transaction, or else the
    /// end.
    var lastStable: Int64 { self.open.isEmpty ? self.end : self.open.values.compactMap(\.first).min() ?? self.end }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - record: The record to write.
    ///   - now: The time for a record that has none.
    ///   - transaction: The open transaction that it is part of.
    /// - Returns: Its offset.
    mutating func append(_ record: OutgoingRecord, now: Int64, transaction: Int? = nil) -> Int64 {
        let offset = self.end
        self.records.append(
            LogRecord(
                topicPartition: record.topicPartition,
                offset: offset,
                timestamp: record.timestamp ?? now,
                content: record.content
            )
        )
        if let transaction { self.open[transaction, default: []].append(offset) }
        self.end += 1
        return offset
    }

    /// Skips offsets without records: those of markers and of aborted records.
    mutating func skip(_ count: Int) { self.end += Int64(count) }

    /// Ends a transaction; returns whether it had written here.
    mutating func end(_ transaction: Int, isCommitted: Bool) -> Bool {
        guard let offsets = self.open.removeValue(forKey: transaction) else { return false }
        if !isCommitted {
            let aborted = Set(offsets)
            self.records.removeAll { aborted.contains($0.offset) }
        }
        return true
    }

    /// Removes everything before an offset, as retention does.
    mutating func trim(to offset: Int64) {
        self.start = max(self.start, min(offset, self.end))
        self.records.removeFirst(self.index(of: self.start))
    }

    /// The committed records from an offset on, at most this many, and the position after them.
    func read(from offset: Int64, limit: Int) -> (records: ArraySlice<LogRecord>, position: Int64) {
        let stable = self.lastStable
        let last = self.open.isEmpty ? self.records.count : self.index(of: stable)
        let first = min(self.index(of: offset), last)
        let read = self.records[first..<last].prefix(limit)
        let position = read.endIndex == last ? max(stable, offset) : (read.last?.offset ?? offset - 1) + 1
        return (read, position)
    }

    /// The first record at or after an offset, committed or not.
    func first(from offset: Int64) -> LogRecord? {
        let index = self.index(of: offset)
        return index < self.records.count ? self.records[index] : nil
    }

    /// The offset of the first record at or after a time; the end when there is none.
    func offset(at time: Int64) -> Int64 { self.records.first { $0.timestamp >= time }?.offset ?? self.end }

    /// The index of the first record at or after an offset.
    private func index(of offset: Int64) -> Int {
        var low = 0
        var high = self.records.count
        while low < high {
            let middle = (low + high) / 2
            if self.records[middle].offset < offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
