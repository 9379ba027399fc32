import GRDB

extension LogStore {
    /// A named value; nil when it has never been set.
    func setting(_ name: String) throws -> String? {
        try String.fetchOne(self.db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
    }

    func set(_ name: String, to value: String) throws {
        try self.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [name, value])
    }

    /// Adds a topic without partitions; returns its row.
    func addTopic(name: Name, topicID: TopicID) throws -> Int64 {
        try self.execute(
            "INSERT INTO topics (name, id_high, id_low) VALUES (?, ?, ?)",
            [name, Int64(bitPattern: topicID.high), Int64(bitPattern: topicID.low)]
        )
        return self.db.lastInsertedRowID
    }

    /// Adds an empty partition; returns its row.
    func addPartition(topic: Int64, number: Int) throws -> Int64 {
        let id = try self.freePartitionRow()
        try self.execute(
            "INSERT INTO partitions (id, topic, number, start_offset, end_offset) VALUES (?, ?, ?, 0, 0)",
            [id, topic, number]
        )
        return id
    }

    /// The next row or, after the last possible one, the first free row.
    ///
    /// The rows of dropped partitions are free, because nothing in the file refers to them any more.
    private func freePartitionRow() throws -> Int64 {
        let last = try Int64.fetchOne(self.db.cachedStatement(sql: "SELECT max(id) FROM partitions")) ?? 0
        if last < BatchKey.maxPartition { return last + 1 }
        let sql = """
            SELECT min(id) FROM (SELECT 1 AS id UNION ALL SELECT id + 1 FROM partitions)
            WHERE id NOT IN (SELECT id FROM partitions) AND id <= ?
            """
        if let free = try Int64.fetchOne(self.db, sql: sql, arguments: [BatchKey.maxPartition]) { return free }
        throw BrokerError(code: .storage, message: "there are \(BatchKey.maxPartition) partitions")
    }

    /// Stores where the log begins, and where it ends in case no batch is left that shows it.
    func saveOffsets(of log: PartitionLog) throws {
        try self.execute(
            "UPDATE partitions SET start_offset = ?, end_offset = ? WHERE id = ?",
            [log.startOffset, log.endOffset, log.id]
        )
    }

    func saveConfiguration(of topic: Topic) throws {
        try self.execute("DELETE FROM topic_settings WHERE topic = ?", [topic.id])
        for (name, value) in topic.configuration.values {
            try self.execute(
                "INSERT INTO topic_settings (topic, name, value) VALUES (?, ?, ?)",
                [topic.id, name, value]
            )
        }
    }

    /// Drops a topic with all its content.
    func drop(_ topic: Topic) throws {
        for log in topic.partitions {
            try self.dropBatches(partition: log.id, below: BatchKey.maxOffset)
            try self.execute("DELETE FROM producers WHERE partition = ?", [log.id])
            self.tails[log.id] = nil
        }
        try self.execute("DELETE FROM partitions WHERE topic = ?", [topic.id])
        try self.execute("DELETE FROM topic_settings WHERE topic = ?", [topic.id])
        try self.execute("DELETE FROM topics WHERE id = ?", [topic.id])
    }

    /// Reads all topics with the outlines of their logs.
    func topics() throws -> [Topic] {
        try Row.fetchAll(self.db, sql: "SELECT id, name, id_high, id_low FROM topics")
            .map { row in
                let id: Int64 = row[0]
                var configuration = TopicConfiguration()
                let settings = try Row.fetchAll(
                    self.db,
                    sql: "SELECT name, value FROM topic_settings WHERE topic = ?",
                    arguments: [id]
                )
                for setting in settings { _ = configuration.set(setting[0], to: setting[1]) }
                return Topic(
                    id: id,
                    name: row[1],
                    topicID: TopicID(high: UInt64(bitPattern: row[2]), low: UInt64(bitPattern: row[3])),
                    configuration: configuration,
                    partitions: try self.partitions(topic: id)
                )
            }
    }

    private func partitions(topic: Int64) throws -> [PartitionLog] {
        let rows = try Row.fetchAll(
            self.db,
            sql: "SELECT id, start_offset, end_offset FROM partitions WHERE topic = ? ORDER BY number",
            arguments: [topic]
        )
        return try rows.map { row in
            let id: Int64 = row[0]
            let last = try Int64.fetchOne(
                self.db,
                sql: "SELECT last_offset FROM batches WHERE key >= ? AND key <= ? ORDER BY key DESC LIMIT 1",
                arguments: [
                    BatchKey.make(partition: id, offset: 0), BatchKey.make(partition: id, offset: BatchKey.maxOffset),
                ]
            )
            return PartitionLog(
                id: id,
                startOffset: row[1],
                endOffset: max(row[2], last.map { $0 + 1 } ?? 0),
                producers: try self.producers(partition: id),
                aborted: try self.aborted(partition: id)
            )
        }
    }

    private func aborted(partition: Int64) throws -> [AbortedTransaction] {
        let rows = try Row.fetchAll(
            self.db,
            sql: "SELECT producer, first_offset, last_offset FROM aborted WHERE partition = ? ORDER BY last_offset",
            arguments: [partition]
        )
        return rows.map { AbortedTransaction(producerID: $0[0], firstOffset: $0[1], lastOffset: $0[2]) }
    }
}
