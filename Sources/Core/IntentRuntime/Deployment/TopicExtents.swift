/// What partitions still hold, compared with a group's positions: where reading may continue without loss.
package struct TopicExtents: Sendable {
    /// The first offset that each partition still holds.
    package var earliest: [TopicPartition: Int64]
    /// The offset after each partition's last record.
    package var ends: [TopicPartition: Int64]

    package init(earliest: [TopicPartition: Int64], ends: [TopicPartition: Int64]) {
        self.earliest = earliest
        self.ends = ends
    }

    /// Queries the log.
    /// - Throws: ``LogError``.
    package static func ask(_ log: any EventLog, _ partitions: [TopicPartition]) async throws(LogError) -> Self {
        let ends = try await log.offsets(partitions, at: .end)
        return TopicExtents(earliest: try await log.offsets(partitions, at: .earliest), ends: ends)
    }

    /// A partition whose beginning was removed before it was read.
    package struct Loss: Hashable, Sendable {
        package var partition: TopicPartition
        /// The position up to which it was read; nil when it was never read.
        package var read: Int64?
        /// Where it begins now.
        package var earliest: Int64
    }

    /// What retention has removed before it was read.
    ///
    /// - Parameter offsets: The position of each partition; nil for none.
    /// - Returns: The gaps, by partition.
    /// - Throws: ``LogError``, `topicsChanged` when a partition ends before its position.
    package func losses(_ offsets: [TopicPartition: Int64?]) throws(LogError) -> [Loss] {
        var losses: [Loss] = []
        for (partition, offset) in offsets.sorted(by: { $0.key < $1.key }) {
            guard let earliest = self.earliest[partition], let end = self.ends[partition] else { continue }
            if let offset, offset > end { throw LogError.topicShrank(partition, read: offset, end: end) }
            if offset ?? 0 < earliest { losses.append(Loss(partition: partition, read: offset, earliest: earliest)) }
        }
        return losses
    }
}

extension LogError {
    /// A partition ends before its position.
    static func topicShrank(_ partition: TopicPartition, read: Int64, end: Int64) -> LogError {
        LogError(
            .topicsChanged,
            "\(partition) was read up to offset \(read), but now ends at \(end): the topic was re-created, or has lost its "
                + "last records. The offsets, state, store and records of the old topic do not match it: use another "
                + "prefix and another data directory, or restore the topic.",
            // Or a broker has answered that does not know yet that another one leads the partition.
            isRetriable: true
        )
    }

    /// Records were removed before they were read.
    package static func eventsLost(_ losses: [TopicExtents.Loss], by reader: String) -> LogError {
        let ranges = losses.map { "\($0.partition) was read up to \($0.read ?? 0) and now begins at \($0.earliest)" }
        return LogError(
            .eventsLost,
            "retention has removed events before \(reader) read them: \(ranges.joined(separator: "; ")). To continue "
                + "without them, start once with --accept-loss; keep topics longer than any outage lasts."
        )
    }
}
