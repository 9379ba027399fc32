import Foundation
import GRDB
import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

@testable import IntentLedger
@testable import IntentRecords
@testable import SQLiteStore

@Suite("R31, R39, R45, R46: what pruning removes, and what it keeps")
struct PruningTests {
    private static let registrations = [IntentRegistration(confirmation: .always) { TransferHandler() }]

    private let directory: TemporaryDirectory
    private let records: String
    private let store: String
    private let key = SigningKey()
    private let now = SystemRuntimeClock().now

    init() throws {
        self.directory = try TemporaryDirectory()
        self.records = self.directory.file("records.sqlite")
        self.store = self.directory.file("store.sqlite")
    }

    private func run() async throws -> (Pipeline, SQLiteLedger) {
        let ledger = try await SQLiteLedger.open(at: self.store)
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        try await ledger.join(deployment, on: log)
        let pipeline = try await Pipeline.run(Self.registrations, partitions: 2, log: log, ledger: ledger) {
            pipeline in
            for (user, recipient) in [("ada", "bob"), ("bob", "breaks"), ("cleo", "refused"), ("dan", "bob")] {
                try await pipeline.transfer(InteractionID("i-\(user)"), user: UserID(user), recipient: recipient)
            }
            let open = pipeline.client.open(id: "open", userID: "dan")
            let data: JSONValue = ["intent": ["name": "TransferIntent"], "user": ["id": "dan"]]
            try await open.send([open.makeEvent("intent.requested", data: data)])
            _ = try await open.next(timeout: .seconds(60))
            open.close()
        }
        return (pipeline, ledger)
    }

    @Test("Verify and replay --into accept records that intentd has pruned, and find every other removal")
    func findsOtherCutsOfRecords() async throws {
        let (pipeline, _) = try await self.run()
        _ = try await RecordDatabase.rebuild(at: self.records, from: pipeline.log, prefix: "intents")
        let times = try await pipeline.records(of: .journal).map(\.timestamp).sorted()
        let database = try await RecordDatabase.open(at: self.records, prefix: "intents")
        let removed = try await database.prune(
            before: Timestamp(milliseconds: times[times.count / 2]),
            deployment: pipeline.deployment.id,
            at: self.now,
            signedBy: self.key
        )
        await database.close()
        #expect(removed["events"] ?? 0 > 10)
        let report = try await pipeline.verify(records: self.records, publicKey: self.key.publicKey)
        #expect(report.isSound, "\(report.findings)")
        #expect(report.notes.contains { $0.contains("pruned (1 cut)") }, "\(report.notes)")

        let marks = try await RecordArchive.open(at: self.records).cuts()
        let again = self.directory.file("again.sqlite")
        _ = try await RecordDatabase.rebuild(at: again, from: pipeline.log, prefix: "intents", cuts: marks)
        #expect(try self.contents(again) == self.contents(self.records))
        // Also when the topics contain no more than that.
        var starts: [TopicPartition: Int64] = [:]
        for (name, offset) in CutMark.offsets(marks) {
            let parts = name.split(separator: "/")
            starts[TopicPartition("intents.\(parts[0])", try #require(Int(parts[1])))] = offset
        }
        let cutLog = TamperedLog(pipeline.log).beginning(at: starts)
        let third = self.directory.file("third.sqlite")
        await #expect(throws: RecordingError.self) {
            _ = try await RecordDatabase.rebuild(at: third, from: cutLog, prefix: "intents")
        }
        _ = try await RecordDatabase.rebuild(at: third, from: cutLog, prefix: "intents", cuts: marks)
        #expect(
            try self.contents(third, ["events", "turns"]) == self.contents(self.records, ["events", "turns"])
        )

        // Marks that were not made with the key.
        let foreign = CutMark(
            .records,
            of: "d",
            at: self.now,
            before: self.now,
            offsets: ["requests/0": 9],
            signedBy: SigningKey()
        )
        let unsigned = CutMark(
            .records,
            of: "d",
            at: self.now,
            before: self.now,
            offsets: ["requests/0": 9],
            signedBy: nil
        )
        for (sql, words) in [
            ("DELETE FROM cuts", "The row is missing"),
            ("UPDATE cuts SET document = replace(document, '\"requests/', '\"responses/')", "signature is invalid"),
            (
                "INSERT INTO cuts (before, document) VALUES (1, '\(foreign.json)')",
                "rows were removed without authorization"
            ),
            ("INSERT INTO cuts (before, document) VALUES (1, '\(unsigned.json)')", "is not signed"),
        ] {
            let copy = self.directory.file("copy.sqlite")
            try FileManager.default.copyItem(atPath: self.records, toPath: copy)
            try DatabaseQueue(path: copy).inDatabase { try $0.execute(sql: sql) }
            let report = try await pipeline.verify(records: copy, publicKey: self.key.publicKey)
            #expect(
                report.findings.contains { $0.subject == .record && $0.detail.contains(words) },
                "\(sql): \(report.findings)"
            )
            try FileManager.default.removeItem(atPath: copy)
        }
    }

    @Test("Effects are kept as long as a topic, an open interaction or a dead letter can ask for them")
    func effectsStayWhileAnythingCanAskForThem() async throws {
        let (pipeline, ledger) = try await self.run()
        let later = self.now + 100 * 86_400_000
        func prune(_ log: any EventLog) async throws -> (effects: Int, ends: Int) {
            try await ledger.prune(
                before: later,
                reach: LedgerReach.read(pipeline.deployment, on: log),
                deployment: pipeline.deployment.id,
                at: later,
                signedBy: self.key
            )
        }
        func count(_ table: String) async throws -> Int64? {
            try await ledger.read { try $0.query("SELECT count(*) AS n FROM \(table)", [])[0]["n"] ?? .null }.integer
        }
        let all = (try await count("effects"), try await count("closed_ledgers"))
        #expect(all.0 == 4 && all.1 == 4)
        // The requests are on the topic: each may be processed again.
        #expect(try await prune(pipeline.log) == (0, 0))
        var starts: [TopicPartition: Int64] = [:]
        for partition in 0..<2 {
            let topicPartition = TopicPartition("intents.requests", partition)
            starts[topicPartition] = try await pipeline.log.offsets([topicPartition], at: .end)[topicPartition]
        }
        let requestsCut = TamperedLog(pipeline.log).beginning(at: starts)
        let letter = try #require(try await pipeline.records(of: .deadLetters).first)
        let died = try #require(letter.header("intentd_request"))
        let turns = try await pipeline.records(of: .journal).compactMap(TurnRecord.init)
        let open = try #require(turns.first { $0.interactionID == "open" }?.request).text
        let reach = try await LedgerReach.read(pipeline.deployment, on: requestsCut)
        #expect(reach.reaches(died) && reach.reaches(open) && reach.reaches("demo-data up"))
        let before = try await ledger.prunable(before: later, reach: reach)
        #expect(before.effects == 3)
        #expect(try await prune(requestsCut) == (3, 3))
        // A failed request can still be sent again, and finds its earlier effects.
        let left = try await ledger.read {
            .array(try $0.query("SELECT request FROM effects", []).map { $0["request"] ?? .null })
        }
        #expect(left == [.string(died)])
        #expect(
            try await ledger.perform(EffectKey(request: "0:99", origin: died, name: "book", ordinal: 0)) { _ in -1 }
                != -1
        )
        let letters = (0..<2).map { TopicPartition("intents.dead-letters", $0) }
        let gone = requestsCut.beginning(
            at: starts.merging(try await pipeline.log.offsets(letters, at: .end)) { first, _ in first }
        )
        #expect(try await prune(gone) == (1, 1))
        #expect(try await count("effects") == 0)
        // The audit knows that this was done on purpose, by whom, and up to when.
        let report = try await pipeline.verify(store: self.store, publicKey: self.key.publicKey)
        #expect(report.isSound, "\(report.findings)")
        #expect(report.notes.contains { $0.contains("Rows of the store") })
        try DatabaseQueue(path: self.store).inDatabase { try $0.execute(sql: "DELETE FROM cuts") }
        #expect(try await !pipeline.verify(store: self.store).isSound)
    }

    @Test("Younger effects stay, and an end whose time is unknown counts from now")
    func keepsYoungEffects() async throws {
        let ledger = try await SQLiteLedger.open(at: self.store)
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let topicPartition = TopicPartition("intents.requests", 0)
        let nowhere = TamperedLog(log).beginning(at: [topicPartition: 1_000])
        for request in ["0:1", "0:2"] {
            _ = try await ledger.perform(EffectKey(request: request, name: "a", ordinal: 0)) { _ in 1 }
            _ = try await ledger.close(request: request, unlessEffects: false)
        }
        // Its ledger was never closed: it is not known to have ended.
        _ = try await ledger.perform(EffectKey(request: "0:3", name: "a", ordinal: 0)) { _ in 1 }
        // What was undone counts as an effect.
        let undone = EffectKey(request: "0:4", name: "a", ordinal: 0)
        _ = try await ledger.perform(undone) { _ in 1 }
        _ = try await ledger.undo([undone]) { _, _, _ in .null }
        _ = try await ledger.close(request: "0:4", unlessEffects: false)
        func prune(_ before: Timestamp, at now: Timestamp) async throws -> (effects: Int, ends: Int) {
            try await ledger.prune(
                before: before,
                reach: LedgerReach.read(deployment, on: nowhere),
                deployment: deployment.id,
                at: now,
                signedBy: nil
            )
        }
        #expect(try await prune(self.now + -1_000, at: self.now) == (0, 0))
        try await DatabaseQueue(path: self.store)
            .write { try $0.execute(sql: "UPDATE closed_ledgers SET at = NULL WHERE request = '0:2'") }
        let later = self.now + 60_000
        #expect(try await prune(later, at: later) == (3, 2))
        #expect(try await prune(later + 1, at: later) == (0, 1))
    }

    private func contents(_ path: String, _ tables: [String]? = nil) throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        try DatabaseQueue(path: path)
            .read { database in
                for table in RecordSchema.tables where tables?.contains(table.name) ?? true {
                    contents[table.name] =
                        try Row.fetchAll(
                            database,
                            sql: "SELECT * FROM \(table.name) ORDER BY \(table.key)"
                        )
                        // The order in which rows came is not determined by their content.
                        .map { $0.filter { $0.0 != "rowid" }.description }
                }
            }
        return contents
    }
}
