import IntentRuntime

extension LogState {
    /// Reads from positions on, partition by partition, beginning with another one each `turn`.
    ///
    /// Positions pass over gaps: at the end of a partition they equal its end.
    func read(
        _ positions: inout [TopicPartition: Int64],
        paused: Set<TopicPartition> = [],
        turn: Int,
        limit: Int
    ) -> [LogRecord] {
        let topicPartitions = positions.keys.filter { !paused.contains($0) }.sorted()
        var records: [LogRecord] = []
        for index in topicPartitions.indices {
            let topicPartition = topicPartitions[(index + turn) % topicPartitions.count]
            guard let position = positions[topicPartition], let partition = try? self.partition(topicPartition) else {
                continue
            }
            let read = partition.read(from: position, limit: limit - records.count)
            records += read.records
            positions[topicPartition] = read.position
        }
        return records
    }

    mutating func makeReader(from offsets: [TopicPartition: Int64]) throws(LogError) -> ClientID {
        try self.checkOpen()
        for topicPartition in offsets.keys { _ = try self.partition(topicPartition) }
        let id = self.makeClientID()
        self.readers[id] = offsets
        return id
    }

    /// Checks that partitions hold the records to be read next.
    /// - Throws: ``LogError``, `offsetOutOfRange` or `unknownTopic`.
    func check(_ positions: [TopicPartition: Int64]) throws(LogError) {
        for (topicPartition, position) in positions {
            let partition = try self.partition(topicPartition)
            guard partition.start...partition.end ~= position else {
                throw LogError(
                    .offsetOutOfRange,
                    "offset \(position) of \(topicPartition) is out of range: "
                        + "it holds \(partition.start) to \(partition.end)"
                )
            }
        }
    }

    /// The records that there are for a reader.
    mutating func next(_ id: ClientID, maxRecords: Int) throws(LogError) -> (ReaderBatch, hasMoved: Bool) {
        guard let before = self.readers[id], !self.isClosed else {
            throw LogError(.closed, "the reader was closed")
        }
        try self.check(before)
        var positions = before
        let records = self.read(&positions, turn: 0, limit: maxRecords)
        self.readers[id] = positions
        return (ReaderBatch(records: records, positions: positions), positions != before)
    }
}
