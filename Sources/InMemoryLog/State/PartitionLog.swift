import IntentRuntime

/// One partition's records, with the gaps that markers and aborted transactions leave.
struct PartitionLog {
    /// The records, by offset.
    private(set) var records: [LogRecord] = []
    /// The offset of the next record: the partition's end.
    private(set) var end: Int64 = 0

    /// Adds a record and returns its offset.
    mutating func append(_ record: OutgoingRecord, now: Int64) -> Int64 {
        let offset = self.end
        self.records.append(
            LogRecord(
                topicPartition: record.topicPartition,
                offset: offset,
                timestamp: record.timestamp ?? now,
                key: record.key,
                value: record.value,
                headers: record.headers
            )
        )
        self.end += 1
        return offset
    }

    /// Uses offsets up without records: markers, and records that were taken back.
    mutating func skip(_ count: Int) {
        self.end += Int64(count)
    }

    /// The records from an offset on, at most so many.
    func read(from offset: Int64, limit: Int) -> ArraySlice<LogRecord> {
        self.records[self.index(of: offset)...].prefix(limit)
    }

    /// The offset of the first record at or after a time; the end when there is none.
    func offset(at time: Int64) -> Int64 {
        self.records.first { $0.timestamp >= time }?.offset ?? self.end
    }

    /// Where the first record at or after an offset stands.
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
