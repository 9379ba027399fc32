internal import IntentRuntime

/// Sorts records of several partitions by time while they are read from their beginnings.
///
/// A record is held until every partition whose end is not reached has got that far in time: then nothing older can
/// come.
struct TimeOrder {
    /// The largest number of records that are held; beyond it the older half is handed over, in order as far as known.
    private let limit: Int
    private var held: [TopicPartition: [LogRecord]] = [:]
    private var count = 0
    /// The time of the last record of each partition.
    private var reached: [TopicPartition: Int64] = [:]

    init(limit: Int = 100_000) { self.limit = limit }

    /// Adds records, and returns those that no older record can follow.
    ///
    /// - Parameters:
    ///   - records: The records, in the order of each partition.
    ///   - open: The partitions whose end is not reached.
    /// - Returns: Records in the order of time.
    mutating func take(_ records: [LogRecord], open: Set<TopicPartition>) -> [LogRecord] {
        for record in records {
            self.held[record.topicPartition, default: []].append(record)
            self.reached[record.topicPartition] = max(
                self.reached[record.topicPartition] ?? .min,
                record.timestamp
            )
        }
        self.count += records.count
        var ready = self.remove(upTo: open.map { self.reached[$0] ?? .min }.min() ?? .max)
        if self.count > self.limit {
            let times = self.held.values.flatMap { $0.map(\.timestamp) }.sorted()
            ready += self.remove(upTo: times[times.count / 2])
        }
        return ready
    }

    private mutating func remove(upTo time: Int64) -> [LogRecord] {
        var ready: [LogRecord] = []
        for (partition, records) in self.held {
            let count = records.firstIndex { $0.timestamp > time } ?? records.count
            guard count > 0 else { continue }
            ready += records[..<count]
            self.held[partition] = count == records.count ? nil : Array(records[count...])
        }
        self.count -= ready.count
        return ready.sorted {
            ($0.timestamp, $0.topicPartition, $0.offset) < ($1.timestamp, $1.topicPartition, $1.offset)
        }
    }
}
