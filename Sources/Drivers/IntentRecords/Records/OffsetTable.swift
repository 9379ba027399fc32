internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

/// The table `offsets`, inside a transaction: who may record a partition, and where to continue.
struct OffsetTable {
    private let database: Database
    private let select: PreparedStatement
    private let update: PreparedStatement

    init(_ database: Database) throws {
        self.database = database
        self.select = try PreparedStatement(
            database,
            "SELECT next FROM offsets WHERE topic = ? AND partition = ? AND epoch = ?"
        )
        self.update = try PreparedStatement(
            database,
            "UPDATE offsets SET next = ? WHERE topic = ? AND partition = ? AND next IS ? AND epoch = ?"
        )
    }

    /// Claims a partition: increments its epoch.
    static func claim(_ topic: Topic, _ partition: Int, _ database: Database) throws -> (epoch: Int64, next: Int64?) {
        let row = try Row.fetchOne(
            database,
            sql: """
                INSERT INTO offsets (topic, partition, next, epoch) VALUES (?, ?, NULL, 1)
                ON CONFLICT (topic, partition) DO UPDATE SET epoch = epoch + 1
                RETURNING epoch, next
                """,
            arguments: [topic.rawValue, partition]
        )
        guard let row else { throw StoreError(.sqlite, "The claim of a partition returned no row.") }
        return (row["epoch"], row["next"])
    }

    /// The next offset to record; nil when none was recorded.
    /// - Throws: `RecordingError` with `fenced` when the partition was claimed again since.
    func next(_ topic: Topic, _ partition: Int, epoch: Int64?) throws -> Int64? {
        defer { self.select.reset() }
        try self.select.bind(topic.rawValue, at: 1)
        try self.select.bind(Int64(partition), at: 2)
        try self.select.bind(epoch, at: 3)
        guard try self.select.step() else { throw Self.fenced(topic, partition) }
        return self.select.integer(0)
    }

    /// Advances a partition's offset.
    /// - Throws: `RecordingError` with `fenced` when it has changed, or the partition was claimed again.
    func move(_ topic: Topic, _ partition: Int, from before: Int64?, to next: Int64?, epoch: Int64?) throws {
        try self.update.bind(next, at: 1)
        try self.update.bind(topic.rawValue, at: 2)
        try self.update.bind(Int64(partition), at: 3)
        try self.update.bind(before, at: 4)
        try self.update.bind(epoch, at: 5)
        try self.update.run()
        guard self.database.changesCount == 1 else { throw Self.fenced(topic, partition) }
    }

    private static func fenced(_ topic: Topic, _ partition: Int) -> RecordingError {
        RecordingError(.fenced, "Another recorder has taken over partition \(partition) of \(topic.rawValue).")
    }
}
