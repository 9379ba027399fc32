internal import GRDB
internal import IntentEvents
internal import IntentRuntime
internal import SQLiteStore

/// The tables of the view's file, inside a transaction.
struct ViewTables {
    /// The version of the tables, in SQLite's `user_version`; a file of another version is filled again.
    static let version = 3

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// `interactions.key` is the request's partition, shifted by 48 bits, and its offset.
    static let sql = """
        CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
        CREATE TABLE offsets (
            topic TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (topic, partition)
        ) STRICT;
        CREATE TABLE interactions (
            key INTEGER NOT NULL PRIMARY KEY, user TEXT NOT NULL, id TEXT NOT NULL, intent TEXT, content TEXT,
            requested_at INTEGER, begun_at INTEGER, ended_at INTEGER, waiting TEXT,
            requests INTEGER NOT NULL, responses INTEGER NOT NULL, activities INTEGER NOT NULL,
            prompt_id INTEGER, prompt BLOB, response BLOB, news BLOB, activity_list BLOB, answers BLOB,
            device TEXT, group_id TEXT, sent_id INTEGER, sent_at INTEGER, said_at INTEGER, updated_at INTEGER
        ) STRICT;
        CREATE INDEX interactions_by_name ON interactions (user, id, key);
        CREATE INDEX interactions_by_user ON interactions (user, key);
        CREATE INDEX open_interactions ON interactions (user, key) WHERE ended_at IS NULL;
        CREATE TABLE rejections (
            user TEXT NOT NULL, id TEXT NOT NULL, next INTEGER NOT NULL, partition INTEGER NOT NULL,
            at INTEGER NOT NULL, body BLOB NOT NULL, events BLOB NOT NULL, PRIMARY KEY (user, id)
        ) STRICT;
        CREATE INDEX rejections_by_position ON rejections (partition, next);

        """

    private static let columns = """
        key, user, id, intent, content, requested_at, begun_at, ended_at, waiting, requests, responses, activities, \
        prompt_id, prompt, response, news, activity_list, answers, device, group_id, sent_id, sent_at, said_at, \
        updated_at
        """

    // MARK: Whose file it is

    /// Makes the tables of a new file.
    func create() throws {
        try self.database.execute(sql: Self.sql)
        try self.database.execute(sql: "PRAGMA user_version = \(Self.version)")
    }

    func meta(_ name: String) throws -> String? {
        try String.fetchOne(self.database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name])
    }

    func setMeta(_ name: String, _ value: String) throws {
        let sql = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        try self.database.execute(sql: sql, arguments: [name, value])
    }

    /// Removes all rows.
    func clear() throws {
        for table in ["interactions", "rejections", "offsets", "meta"] {
            try self.database.execute(sql: "DELETE FROM \(table)")
        }
    }

    // MARK: Offsets

    /// The offsets from which reading continues.
    func offsets(_ deployment: Deployment) throws -> [TopicPartition: Int64] {
        var offsets: [TopicPartition: Int64] = [:]
        for row in try Row.fetchAll(self.database, sql: "SELECT topic, partition, next FROM offsets") {
            guard let topic = Topic(rawValue: row[0]) else { continue }
            offsets[deployment.topicPartition(topic, row[1])] = row[2]
        }
        return offsets
    }

    func setOffset(_ topic: Topic, _ partition: Int, _ next: Int64) throws {
        let statement = try PreparedStatement(
            self.database,
            """
            INSERT INTO offsets VALUES (?, ?, ?) ON CONFLICT (topic, partition) DO UPDATE SET next = excluded.next
            """
        )
        try statement.bind(topic.rawValue, at: 1)
        try statement.bind(Int64(partition), at: 2)
        try statement.bind(next, at: 3)
        try statement.run()
    }

    // MARK: Interactions

    func entry(_ request: RequestPosition) throws -> InteractionEntry? {
        let statement = try PreparedStatement(
            self.database,
            "SELECT \(Self.columns) FROM interactions WHERE key = ?"
        )
        defer { statement.reset() }
        try statement.bind(request.viewKey, at: 1)
        return try statement.step() ? Self.entry(statement) : nil
    }

    /// The requests of interactions of a name, the earliest first.
    func requests(_ name: InteractionName) throws -> [RequestPosition] {
        let statement = try PreparedStatement(
            self.database,
            "SELECT key FROM interactions WHERE user = ? AND id = ? ORDER BY key"
        )
        defer { statement.reset() }
        try statement.bind(name.user, at: 1)
        try statement.bind(name.id, at: 2)
        var requests: [RequestPosition] = []
        while try statement.step() { requests.append(RequestPosition(viewKey: statement.integer(0) ?? 0)) }
        return requests
    }

    /// The interactions of a user, the newest first.
    func entries(
        of user: UserID,
        open: Bool?,
        before: RequestPosition?,
        limit: Int
    ) throws -> [InteractionEntry] {
        let filter =
            switch open {
            case true?: "AND ended_at IS NULL"
            case false?: "AND ended_at IS NOT NULL"
            case nil: ""
            }
        let statement = try PreparedStatement(
            self.database,
            "SELECT \(Self.columns) FROM interactions WHERE user = ? AND key < ? \(filter) ORDER BY key DESC LIMIT ?"
        )
        defer { statement.reset() }
        try statement.bind(user, at: 1)
        try statement.bind(before?.viewKey ?? .max, at: 2)
        try statement.bind(Int64(limit), at: 3)
        var entries: [InteractionEntry] = []
        while try statement.step() { entries.append(Self.entry(statement)) }
        return entries
    }

    func store(_ entry: InteractionEntry) throws {
        let statement = try PreparedStatement(
            self.database,
            """
            INSERT OR REPLACE INTO interactions (\(Self.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        try statement.bind(entry.request.viewKey, at: 1)
        try statement.bind(entry.name.user, at: 2)
        try statement.bind(entry.name.id, at: 3)
        try statement.bind(entry.intent, at: 4)
        try statement.bind(entry.content, at: 5)
        try statement.bind(entry.requestedAt?.milliseconds, at: 6)
        try statement.bind(entry.begunAt?.milliseconds, at: 7)
        try statement.bind(entry.endedAt?.milliseconds, at: 8)
        try statement.bind(entry.waiting?.rawValue, at: 9)
        try statement.bind(entry.requests, at: 10)
        try statement.bind(entry.responses, at: 11)
        try statement.bind(entry.activities, at: 12)
        try statement.bind(entry.prompt?.id.number, at: 13)
        try Self.bind(entry.prompt?.body, to: statement, at: 14)
        try Self.bind(entry.response, to: statement, at: 15)
        try Self.bind(entry.update, to: statement, at: 16)
        try Self.bind(entry.activityList, to: statement, at: 17)
        try Self.bind(
            entry.answers.isEmpty ? nil : Self.blob(entry.answers.flatMap { [$0.event, $0.prompt, $0.content] }),
            to: statement,
            at: 18
        )
        try statement.bind(entry.device, at: 19)
        try statement.bind(entry.group, at: 20)
        try statement.bind(entry.sent?.event.number, at: 21)
        try statement.bind(entry.sent?.at.milliseconds, at: 22)
        try statement.bind(entry.saidAt?.milliseconds, at: 23)
        try statement.bind(entry.updatedAt?.milliseconds, at: 24)
        try statement.run()
    }

    private static func entry(_ statement: PreparedStatement) -> InteractionEntry {
        let name = InteractionName(user: statement.identity(1) ?? "", id: statement.identity(2) ?? "")
        var entry = InteractionEntry(RequestPosition(viewKey: statement.integer(0) ?? 0), name)
        entry.intent = statement.text(3)
        entry.content = statement.text(4)
        entry.requestedAt = statement.integer(5).map(Timestamp.init(milliseconds:))
        entry.begunAt = statement.integer(6).map(Timestamp.init(milliseconds:))
        entry.endedAt = statement.integer(7).map(Timestamp.init(milliseconds:))
        entry.waiting = statement.text(8).flatMap(InteractionSnapshot.State.init(rawValue:))
        entry.requests = statement.integer(9) ?? 0
        entry.responses = statement.integer(10) ?? 0
        entry.activities = statement.integer(11) ?? 0
        if let id = statement.integer(12), let body = statement.bytes(13) {
            entry.prompt = InteractionEntry.Prompt(id: TextMark(number: id), body: body)
        }
        entry.device = statement.identity(18)
        entry.group = statement.text(19)
        if let id = statement.integer(20), let at = statement.integer(21) {
            entry.sent = InteractionEntry.Sent(event: TextMark(number: id), at: Timestamp(milliseconds: at))
        }
        entry.saidAt = statement.integer(22).map(Timestamp.init(milliseconds:))
        entry.updatedAt = statement.integer(23).map(Timestamp.init(milliseconds:))
        entry.response = statement.bytes(14)
        entry.update = statement.bytes(15)
        entry.activityList = statement.bytes(16)
        let marks = Self.marks(statement.bytes(17) ?? [])
        entry.answers = stride(from: 0, to: marks.count - 2, by: 3)
            .map { InteractionEntry.Answer(event: marks[$0], prompt: marks[$0 + 1], content: marks[$0 + 2]) }
        return entry
    }

    // MARK: Rejections

    func rejection(_ name: InteractionName) throws -> InteractionRejection? {
        let statement = try PreparedStatement(
            self.database,
            "SELECT next, at, body, events FROM rejections WHERE user = ? AND id = ?"
        )
        defer { statement.reset() }
        try statement.bind(name.user, at: 1)
        try statement.bind(name.id, at: 2)
        guard try statement.step() else { return nil }
        return InteractionRejection(
            next: statement.integer(0) ?? 0,
            at: Timestamp(milliseconds: statement.integer(1) ?? 0),
            body: statement.bytes(2) ?? [],
            events: Self.marks(statement.bytes(3) ?? [])
        )
    }

    func store(_ rejection: InteractionRejection, _ name: InteractionName, partition: Int) throws {
        let statement = try PreparedStatement(
            self.database,
            "INSERT OR REPLACE INTO rejections (user, id, next, partition, at, body, events) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        try statement.bind(name.user, at: 1)
        try statement.bind(name.id, at: 2)
        try statement.bind(rejection.next, at: 3)
        try statement.bind(Int64(partition), at: 4)
        try statement.bind(rejection.at.milliseconds, at: 5)
        try statement.bind(blob: rejection.body, at: 6)
        try statement.bind(blob: Self.blob(rejection.events), at: 7)
        try statement.run()
    }

    // MARK: Retention

    /// Removes what the topics hold no event of: from a partition of `requests` and of `responses` that begin there.
    func prune(partition: Int, requests: Int64, responses: Int64) throws {
        let first = RequestPosition(partition: Int64(partition), offset: 0).viewKey
        let end = RequestPosition(partition: Int64(partition), offset: requests).viewKey
        let sql = "DELETE FROM interactions WHERE key >= ? AND key < ? AND requests <= ? AND responses <= ?"
        try self.database.execute(sql: sql, arguments: [first, end, requests, responses])
        try self.database.execute(
            sql: "DELETE FROM rejections WHERE partition = ? AND next <= ?",
            arguments: [partition, responses]
        )
    }

    // MARK: Values

    private static func bind(_ bytes: [UInt8]?, to statement: PreparedStatement, at index: Int32) throws {
        if let bytes { try statement.bind(blob: bytes, at: index) } else { try statement.bindNull(at: index) }
    }

    private static func blob(_ marks: [TextMark]) -> [UInt8] {
        marks.flatMap { mark in withUnsafeBytes(of: mark.number.littleEndian) { Array($0) } }
    }

    private static func marks(_ blob: [UInt8]) -> [TextMark] {
        blob.withUnsafeBytes { bytes in
            (0..<(bytes.count / 8))
                .map { index in
                    TextMark(
                        number: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self))
                    )
                }
        }
    }
}

extension RequestPosition {
    /// The key of the interaction's row: in the order of partitions, and of offsets in each.
    var viewKey: Int64 { self.partition << 48 | self.offset }

    init(viewKey key: Int64) { self.init(partition: key >> 48, offset: key & 0xFFFF_FFFF_FFFF) }
}
