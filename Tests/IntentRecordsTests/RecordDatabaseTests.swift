import Foundation
import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentLedger
@testable import IntentRecords

@Suite struct RecordDatabaseTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    private func open(_ path: String? = nil) async throws -> RecordDatabase {
        try await RecordDatabase.open(at: path ?? self.path, prefix: Traffic.prefix)
    }

    private func contents(of path: String? = nil) async throws -> [String: [String]] {
        try await RecordTables.contents(of: path ?? self.path)
    }

    @Test(arguments: 1...4)
    func rowsDoNotDependOnOrderOrBatches(seed: UInt64) async throws {
        let traffic = Traffic(seed: seed, interactions: 30)
        let inOrder = try await self.open()
        try await RecordTables.write(traffic.records, to: inOrder)
        await inOrder.close()
        let expected = try await self.contents()
        #expect(expected["events"]?.count == traffic.records.count)
        for order in 1...6 {
            let path = self.directory.file("records-\(order).sqlite")
            let database = try await self.open(path)
            let woven = traffic.interleaved(seed: seed * 100 + UInt64(order))
            try await RecordTables.write(woven, to: database, seed: UInt64(order))
            await database.close()
            #expect(try await self.contents(of: path) == expected, "order \(order)")
        }
    }

    @Test("R39: of a batch in which a row cannot be inserted, nothing is stored: no row of its group, and no offset")
    func storesNothingOfFailedBatch() async throws {
        let requests = TopicPartition(Topic.requests.name(prefix: Traffic.prefix), 0)
        let records = Array(
            Traffic(seed: 2, interactions: 60).records.filter { $0.topicPartition == requests }.prefix(13)
        )
        try #require(records.count == 13)
        // In a whole group of eight rows, and among the rows after it.
        for failing in [4, 10] {
            let path = self.directory.file("failing-\(failing).sqlite")
            let database = try await self.open(path)
            try await RecordTables.write([records[failing]], to: database)
            await database.close()
            let connection = try DatabaseQueue(path: path)
            try await connection.write { try $0.execute(sql: "UPDATE offsets SET next = NULL") }
            try connection.close()
            let before = try await self.contents(of: path)
            let again = try await self.open(path)
            let claim = try await again.claim([requests])
            await #expect(throws: RecordingError.self) { _ = try await again.record(records, under: claim) }
            await again.close()
            #expect(try await self.contents(of: path) == before, "row \(failing)")
        }
    }

    /// What the records say of an interaction, in the order of the columns below.
    private struct Said {
        var turns = 0
        var prompts = 0
        var terminalResponses = 0
        var writtenAt: Int64?
        var openedAt: Int64?
        var firstPromptAt: Int64?
        var responses: [(position: (Int, Int64), isTerminal: Bool, at: Int64, code: String?)] = []

        var row: [DatabaseValue] {
            // The first terminal response, or else the last of all.
            let inOrder = self.responses.sorted { $0.position < $1.position }
            let response = inOrder.first { $0.isTerminal } ?? inOrder.last
            let values: [(any DatabaseValueConvertible)?] = [
                self.turns, self.prompts, self.terminalResponses, self.writtenAt ?? self.openedAt, self.openedAt,
                self.firstPromptAt, response?.code,
                response.flatMap { $0.isTerminal ? $0.at : nil }, response?.at, response?.position.0,
                response?.position.1,
            ]
            return values.map { $0?.databaseValue ?? .null }
        }
    }

    /// What the records say of each interaction, by its request.
    private static func said(in records: [LogRecord]) throws -> [String: Said] {
        var all: [String: Said] = [:]
        for record in records {
            let topic = try #require(Topic(name: record.topicPartition.topic, prefix: Traffic.prefix))
            guard topic == .journal || topic == .responses || topic == .requests,
                let event = try? StoredRecord(record, topic: topic).decoded()
            else { continue }
            if topic == .requests {
                guard event.knownType == .intentRequested else { continue }
                all["\(record.topicPartition.partition):\(record.offset)", default: Said()].writtenAt = record.timestamp
                continue
            }
            let turn = topic == .journal ? TurnRecord(record) : nil
            guard let request = topic == .journal ? turn?.request : event.request, RequestPosition(request.text) != nil
            else { continue }
            var said = all[request.text] ?? Said()
            if let turn {
                said.turns += 1
                if turn.opened, turn.stage == .resolve {
                    said.openedAt = min(said.openedAt ?? .max, turn.at.milliseconds)
                }
            } else {
                let (at, isTerminal) = (event.time.milliseconds, event.data["terminal"] == true)
                if event.knownType == .promptIssued {
                    said.prompts += 1
                    said.firstPromptAt = min(said.firstPromptAt ?? .max, at)
                }
                if isTerminal { said.terminalResponses += 1 }
                let position = (record.topicPartition.partition, record.offset)
                said.responses.append((position, isTerminal, at, event.data["code"]?.string))
            }
            all[request.text] = said
        }
        return all
    }

    @Test("R39: an interaction's row says what its turns, prompts and responses say", arguments: 1...3)
    func interactionsSayWhatTheirEventsSay(seed: UInt64) async throws {
        let traffic = Traffic(seed: seed, interactions: 40)
        let database = try await self.open()
        try await RecordTables.write(traffic.interleaved(seed: seed), to: database, seed: seed)
        await database.close()
        let rows = try await DatabaseQueue(path: self.path)
            .read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT partition || ':' || "offset", turns, prompts, terminal_responses, requested_at, opened_at,
                            first_prompt_at, code, ended_at, responded_at, response_partition, response_offset
                        FROM interactions
                        """
                )
                .map { row in (row[0] as String, Array(row.databaseValues.dropFirst())) }
            }
        let found = Dictionary(uniqueKeysWithValues: rows)
        let expected = try Self.said(in: traffic.records).mapValues(\.row)
        #expect(Set(found.keys) == Set(expected.keys))
        for (request, row) in expected { #expect(found[request] == row, "\(request)") }
        // Some are open, some have ended more than once, and of some nobody knows when they began.
        #expect(
            Set(expected.values.map { $0[2] }).isSuperset(of: [0.databaseValue, 1.databaseValue])
                && expected.values.contains { Int.fromDatabaseValue($0[2]) ?? 0 > 1 }
        )
        #expect(expected.values.contains { $0[3].isNull && $0[4].isNull })
    }

    @Test func redeliveredRecordsAreKeptOnce() async throws {
        let records = Traffic(seed: 7, interactions: 12).interleaved(seed: 1)
        let database = try await self.open()
        try await RecordTables.write(records, to: database)
        let expected = try await self.contents()
        let claim = try await database.claim(Set(records.map(\.topicPartition)).sorted())
        let next = try await database.record(records, under: claim)
        #expect(next == claim.starts.compactMapValues(\.self))
        _ = try await database.record(records + records, under: claim)
        #expect(try await self.contents() == expected)
    }

    @Test func laterClaimFencesEarlierOne() async throws {
        let traffic = Traffic(seed: 8, interactions: 12)
        let records = traffic.interleaved(seed: 1)
        let partitions = traffic.partitions.keys.sorted()
        let database = try await self.open()
        let old = try await database.claim(partitions)
        _ = try await database.record(Array(records.prefix(50)), under: old)
        // One partition is enough: the batch is one transaction.
        let new = try await database.claim([records[50].topicPartition])
        #expect(new.epochs[records[50].topicPartition] == 2)
        let before = try await self.contents()
        let error = await #expect(throws: RecordingError.self) {
            _ = try await database.record(Array(records[50..<80]), under: old)
        }
        #expect(error?.code == .fenced)
        #expect(try await self.contents() == before)
        try await RecordTables.write(records, to: database)
        #expect(try await self.contents()["events"]?.count == records.count)
    }

    @Test func refusesUnclaimedPartition() async throws {
        let records = Traffic(seed: 8, interactions: 2).records
        let database = try await self.open()
        let error = await #expect(throws: RecordingError.self) {
            _ = try await database.record(records, under: RecordClaim(epochs: [:], starts: [:]))
        }
        #expect(error?.code == .fenced)
    }

    @Test(arguments: ["intents.state", "other.requests"])
    func refusesTopicsThatAreNotRecorded(topic: String) async throws {
        let database = try await self.open()
        let error = await #expect(throws: RecordingError.self) {
            _ = try await database.claim([TopicPartition(TopicName(topic), 0)])
        }
        #expect(error?.code == .unknownTopic)
    }

    @Test func crashBetweenBatchesLosesAndRepeatsNothing() async throws {
        let traffic = Traffic(seed: 9, interactions: 20)
        let records = traffic.interleaved(seed: 3)
        let whole = try await self.open(self.directory.file("whole.sqlite"))
        try await RecordTables.write(records, to: whole)
        let expected = try await self.contents(of: self.directory.file("whole.sqlite"))

        let dying = try await self.open()
        try await RecordTables.write(Array(records.prefix(records.count / 2)), to: dying)
        // File and log without the checkpoint that closing makes: what a killed process leaves.
        let copy = self.directory.file("copy.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: self.path + suffix, toPath: copy + suffix)
        }
        let survivor = try await self.open(copy)
        let claim = try await survivor.claim(traffic.partitions.keys.sorted())
        for (partition, all) in traffic.partitions {
            let start = (claim.starts[partition] ?? nil) ?? 0
            let rest = all.filter { $0.offset >= start }
            if !rest.isEmpty { _ = try await survivor.record(rest, under: claim) }
        }
        #expect(try await self.contents(of: copy) == expected)
    }

    @Test func keepsUndecodableRecordsAsTheyCame() async throws {
        let bytes: [UInt8] = [0xFF, 0x00, 0xFE]
        let partition = TopicPartition("intents.requests", 0)
        let headers = [LogHeader("a", bytes: bytes), LogHeader("a", bytes: nil), LogHeader("", "x\u{0}\"")]
        let values: [[UInt8]?] = [bytes, nil, [], Array("{".utf8), Array("{\"a\":1}".utf8), Array("7".utf8)]
        let records = values.enumerated()
            .map { offset, value in
                LogRecord(
                    topicPartition: partition,
                    offset: Int64(offset),
                    timestamp: 5,
                    key: value,
                    value: value,
                    headers: headers
                )
            }
        let database = try await self.open()
        try await RecordTables.write(records, to: database)
        let connection = try DatabaseQueue(path: self.path)
        let types = try await connection.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT typeof(key) || ' ' || typeof(value) FROM events ORDER BY \"offset\""
            )
        }
        #expect(types == ["blob blob", "null null", "text blob", "text blob", "text text", "text text"])
        let stored = try await connection.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT CAST(key AS BLOB) AS k, CAST(value AS BLOB) AS v, headers FROM events"
            )
            .map { row in
                LogRecord(
                    topicPartition: partition,
                    offset: 0,
                    timestamp: 5,
                    key: (row["k"] as Data?).map(Array.init),
                    value: (row["v"] as Data?).map(Array.init),
                    headers: HeaderJSON.read(try JSONValue(parsing: row["headers"] as String)) ?? []
                )
            }
        }
        #expect(stored.map(\.value) == values)
        #expect(stored.map(\.key) == values)
        #expect(stored.allSatisfy { $0.headers == headers })
    }

    @Test("R39: an open interaction's row shows the latest event, however the batches are cut")
    func openInteractionShowsLatest() async throws {
        func said(_ type: EventType, _ offset: Int64, _ data: JSONValue) -> LogRecord {
            let event = Event(
                id: "e\(offset)",
                source: "test",
                type: type,
                time: Timestamp(milliseconds: 1_000 + offset),
                subject: "i1",
                userID: "ada",
                request: "0:0",
                data: data
            )
            return LogRecord(
                topicPartition: TopicPartition("intents.responses", 0),
                offset: offset,
                timestamp: 1_000 + offset,
                key: nil,
                value: event.data.utf8,
                headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
            )
        }
        let records = [
            said(.promptIssued, 0, ["kind": "needsValue", "promptId": "i1/r/1"]),
            said(.promptIssued, 1, ["kind": "intentConfirmation", "promptId": "i1/c/2"]),
            said(.intentResponded, 2, ["terminal": false, "status": "inProgress", "phase": "handle"]),
        ]
        let expected: [(String?, String?)] = [
            (nil, "resolve"), ("userConfirmationRequired", "confirm"), ("inProgress", "handle"),
        ]
        for isOneBatch in [false, true] {
            let path = self.directory.file("\(isOneBatch).sqlite")
            let database = try await self.open(path)
            let claim = try await database.claim([TopicPartition("intents.responses", 0)])
            let batches = isOneBatch ? [records] : records.map { [$0] }
            for (index, batch) in batches.enumerated() {
                _ = try await database.record(batch, under: claim)
                let row = try #require(try await RecordArchive.open(at: path).interactions(.init()).first)
                let (status, phase) = isOneBatch ? expected[2] : expected[index]
                #expect(row.status == status && row.phase == phase, "\(index), \(isOneBatch)")
            }
            await database.close()
        }
    }

    @Test func oneRecorderWritesWhileOthersStandBy() async throws {
        let first = try await self.open()
        #expect(try await RecordDatabase.openIfFree(at: self.path, prefix: Traffic.prefix) == nil)
        let path = self.path
        let standby = Task {
            try await RecordDatabase.open(at: path, prefix: Traffic.prefix, askingEvery: .milliseconds(1))
        }
        let cancelled = Task {
            try await RecordDatabase.open(at: path, prefix: Traffic.prefix, askingEvery: .seconds(3_600))
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        await first.close()
        let second = try await standby.value
        #expect(try await RecordDatabase.openIfFree(at: self.path, prefix: Traffic.prefix) == nil)
        await second.close()
        #expect(try await RecordDatabase.openIfFree(at: self.path, prefix: Traffic.prefix) != nil)
    }

    @Test func refusesFileOfOtherTopicsOrTables() async throws {
        await (try self.open()).close()
        let other = try await #require(throws: StoreError.self) {
            _ = try await RecordDatabase.open(at: self.path, prefix: "others")
        }
        #expect(other.code == .file)
        let foreign = self.directory.file("foreign.sqlite")
        _ = try await SQLiteLedger.open(at: foreign)
        for _ in 0..<2 {
            let error = try await #require(throws: StoreError.self) { _ = try await self.open(foreign) }
            #expect(error.code == .file)
        }
    }
}
