import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("R93: the operators' log in the records")
struct OperatorActionsTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let deployment = Deployment(id: "d", prefix: "intents", partitions: 1)

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    private static func act(_ kind: OperatorAct.Kind, _ by: String, _ user: UserID?, _ id: InteractionID?) -> LogRecord
    {
        var act = OperatorAct(kind, by: OperatorAct.Operator(by, via: "terminal", reason: "because"))
        act.user = user
        act.interaction = id
        act.target = kind == .leave ? "worker-1" : nil
        let record = act.record(of: Self.deployment, now: Timestamp(milliseconds: 7_000))
        return LogRecord(topicPartition: record.topicPartition, offset: 0, timestamp: 0, content: record.content)
    }

    /// Records acts, the n-th at n seconds, a timer among them, and what a client has written as an act.
    private func archive() async throws -> RecordArchive {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        let timer = Event(
            id: "t",
            source: "/intentd/resolve",
            type: .timerFired,
            time: Timestamp(milliseconds: 1),
            userID: "ada",
            data: ["user": ["id": "ada"]]
        )
        var records = [
            Self.act(.cancel, "ops", "ada", "i1"), Self.act(.retry, "ops", "ben", "i1"),
            Self.act(.leave, "root", nil, nil),
        ]
        records.append(
            LogRecord(topicPartition: records[0].topicPartition, offset: 0, timestamp: 0, content: timer.content)
        )
        for index in records.indices {
            records[index].offset = Int64(index)
            records[index].timestamp = Int64(index) * 1_000
        }
        var forged = records[0]
        forged.topicPartition = TopicPartition(Topic.requests.name(prefix: "intents"), 0)
        let claim = try await database.claim([records[0].topicPartition, forged.topicPartition].sorted())
        _ = try await database.record(records + [forged], under: claim)
        await database.close()
        return try await RecordArchive.open(at: self.path)
    }

    @Test("Each act is a row, the newest first; timers, and what a client calls an act, are none")
    func listsActs() async throws {
        let acts = try await self.archive().acts(ActFilter(), limit: 10)
        #expect(acts.map(\.act) == ["leave", "retry", "cancel"])
        #expect(acts.map(\.by) == ["root", "ops", "ops"] && acts.map(\.userID) == [nil, "ben", "ada"])
        #expect(acts[0].target == "worker-1" && acts[0].reason == "because" && acts[0].via == "terminal")
        #expect(acts[2].interactionID == "i1" && acts[2].at == Timestamp(milliseconds: 7_000))
        let database = try DatabaseQueue(path: self.path)
        let rows = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operator_actions") }
        #expect(rows == 3)
    }

    @Test("A user whose name begins as intentd's own is a user all the same")
    func showsUsersNamedLikeNobody() async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        let users: [UserID] = [
            "intentd.operators", "intentd.operators/7", "intentd.operators/7b", "intentd.operators-team",
        ]
        let records = users.enumerated()
            .map { number, user in
                var record = Self.act(.cancel, "ops", user, "i1")
                record.topicPartition.partition = 0
                (record.offset, record.timestamp) = (Int64(number), Int64(number))
                return record
            }
        let claim = try await database.claim([records[0].topicPartition])
        _ = try await database.record(records, under: claim)
        await database.close()
        let acts = try await RecordArchive.open(at: self.path).acts(ActFilter(), limit: 10)
        #expect(acts.reversed().map(\.userID) == [nil, nil, "intentd.operators/7b", "intentd.operators-team"])
    }

    @Test("R93a: an act that a stage has sent back to resolve is one row, and another act under its id is another row")
    func countsForwardedActsOnce() async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        let act = Self.act(.cancel, "ops", "ada", "i1")
        var records = [act, act, act]
        records[2].value = Array(#"{"act":"retry","by":"eve","user":{"id":"ada"},"via":"terminal"}"#.utf8)
        for index in records.indices { records[index].offset = Int64(index) }
        let claim = try await database.claim([act.topicPartition])
        _ = try await database.record(records, under: claim)
        await database.close()
        let acts = try await RecordArchive.open(at: self.path).acts(ActFilter(), limit: 10)
        #expect(acts.map(\.by).sorted() == ["eve", "ops"])
        #expect(acts.map(\.position.offset).sorted() == [0, 2])
    }

    @Test("Acts are filtered by operator, kind, user, interaction and time")
    func filtersActs() async throws {
        let archive = try await self.archive()
        func count(_ change: (inout ActFilter) -> Void) async throws -> Int {
            var filter = ActFilter()
            change(&filter)
            return try await archive.acts(filter, limit: 10).count
        }
        #expect(try await count { $0.by = "ops" } == 2)
        #expect(try await count { $0.act = "leave" } == 1)
        #expect(try await count { $0.userID = "ben" } == 1)
        #expect(try await count { $0.interactionID = "i1" } == 2)
        #expect(try await count { $0.since = Timestamp(milliseconds: 1_000) } == 2)
        #expect(try await count { $0.until = Timestamp(milliseconds: 1_000) } == 1)
        #expect(try await archive.acts(ActFilter(), limit: 2).count == 2)
    }

    @Test("R84e: dead letters have the first mark that operators gave them, and are counted by it")
    func marksLetters() async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        var records = (0..<3)
            .map { number in
                LogRecord(
                    topicPartition: TopicPartition(Topic.deadLetters.name(prefix: "intents"), 0),
                    offset: Int64(number),
                    timestamp: 5_000,
                    key: nil,
                    value: Array("{}".utf8),
                    headers: [LogHeader("intentd_error", "malformed")]
                )
            }
        // The last is about a letter that is not recorded.
        for (number, (by, target)) in [("ada", "0/1"), ("eve", "0/1"), ("eve", "0/9")].enumerated() {
            var act = OperatorAct(.handled, by: OperatorAct.Operator(by, via: "terminal", reason: "done"))
            act.target = target
            let content = act.record(of: Self.deployment, now: Timestamp(milliseconds: 6_000)).content
            let signals = TopicPartition(Topic.signals.name(prefix: "intents"), 0)
            records.append(
                LogRecord(topicPartition: signals, offset: Int64(number), timestamp: 6_000, content: content)
            )
        }
        let claim = try await database.claim(Set(records.map(\.topicPartition)).sorted())
        _ = try await database.record(records, under: claim)
        await database.close()
        let archive = try await RecordArchive.open(at: self.path)
        let letters = try await archive.letters(limit: 10)
        #expect(letters.map(\.handled?.by) == [nil, "ada", nil])
        #expect(letters[1].handled?.note == "done")
        let story = try await archive.letterStories(at: [letters[1].position]).first
        #expect(story?.handled?.by == "ada")
        let counts = try await archive.openCounts()
        #expect((counts.letters, counts.handled) == (3, 1))
    }

    @Test("R84e: of marks in one millisecond the one with the lowest partition and offset counts")
    func ordersMarks() async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        var records = [
            LogRecord(
                topicPartition: TopicPartition(Topic.deadLetters.name(prefix: "intents"), 0),
                offset: 0,
                timestamp: 5_000,
                key: nil,
                value: Array("{}".utf8),
                headers: [LogHeader("intentd_error", "malformed")]
            )
        ]
        for (by, partition, offset) in [("second", 0, 1), ("third", 1, 0), ("first", 0, 0)] as [(String, Int, Int64)] {
            var act = OperatorAct(.handled, by: OperatorAct.Operator(by, via: "terminal", reason: "done"))
            act.target = "0/0"
            let content = act.record(of: Self.deployment, now: Timestamp(milliseconds: 6_000)).content
            let signals = TopicPartition(Topic.signals.name(prefix: "intents"), partition)
            records.append(LogRecord(topicPartition: signals, offset: offset, timestamp: 6_000, content: content))
        }
        records.sort { ($0.topicPartition, $0.offset) < ($1.topicPartition, $1.offset) }
        let claim = try await database.claim(Set(records.map(\.topicPartition)).sorted())
        _ = try await database.record(records, under: claim)
        await database.close()
        let archive = try await RecordArchive.open(at: self.path)
        #expect(try await archive.letters(limit: 10).first?.handled?.by == "first")
    }

    @Test("The acts are found by the index, not among the timers")
    func usesTheIndex() async throws {
        _ = try await self.archive()
        let plan = try DatabaseQueue(path: self.path)
            .read { try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN SELECT * FROM operator_actions ORDER BY timestamp") }
        #expect(plan.contains { "\($0["detail"] as String? ?? "")".contains("events_of_operators") }, "\(plan)")
    }
}
