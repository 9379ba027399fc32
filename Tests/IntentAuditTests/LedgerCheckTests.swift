import Foundation
import GRDB
import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentLedger
import IntentRuntime
import Testing

@Suite("R30, R46: the ledger is verified against the journal")
struct LedgerCheckTests {
    private static let registrations = [IntentRegistration(confirmation: .always) { TransferHandler() }]

    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("store.sqlite")
    }

    private func run() async throws -> Pipeline {
        let ledger = try await SQLiteLedger.open(at: self.path)
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        try await ledger.join(deployment, on: log)
        return try await Pipeline.run(Self.registrations, partitions: 2, log: log, ledger: ledger) { pipeline in
            for user: UserID in ["ada", "bob", "cleo", "dan"] { try await pipeline.transfer("i-\(user)", user: user) }
            try await pipeline.transfer("failing", user: "eve", recipient: "stays")
        }
    }

    /// The report after a change to the ledger, which is then reverted.
    private func report(_ pipeline: Pipeline, after sql: String) async throws -> AuditReport {
        let copy = self.directory.file("copy.sqlite")
        try DatabaseQueue(path: self.path).inDatabase { try $0.execute(sql: "VACUUM INTO '\(copy)'") }
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try DatabaseQueue(path: copy)
            .inDatabase { database in
                try database.execute(sql: sql)
                #expect(database.totalChangesCount > 0, "\(sql)")
            }
        return try await pipeline.verify(store: copy)
    }

    @Test("Changed and removed rows are found; rows without a journaled turn are notes")
    func findsChangedAndRemovedRows() async throws {
        let pipeline = try await self.run()
        let sound = try await pipeline.verify(store: self.path)
        #expect(sound.isSound && sound.effects == 4, "\(sound.findings)")
        #expect(!sound.notes.contains { $0.contains("No committed turn") })
        let row = "(SELECT request FROM effects LIMIT 1)"
        // The position of the answer to the prompt, which is not a request.
        let answer = "(SELECT substr(request, 1, 2) || (substr(request, 3) + 1) FROM effects LIMIT 1)"
        let again = "INSERT INTO effects SELECT request, name, 1, result, at, NULL FROM effects WHERE request = \(row)"
        let findings: [(String, String, String)] = [
            (again, "effects ", "holds 2, but turn journal/"),
            (
                "UPDATE effects SET result = '-1' WHERE request = \(row)", "effects ",
                "differs from the one that turn journal/"
            ),
            ("DELETE FROM effects WHERE request = \(row)", "effects ", "make it again"),
            ("UPDATE effects SET request = \(answer) WHERE request = \(row)", "effects ", "make it again"),
            ("INSERT INTO closed_ledgers (request) VALUES ('1:4711')", "requests/1/4711", "but the topic ends at "),
            ("DELETE FROM closed_ledgers WHERE request = \(row)", "closed_ledgers ", "after the end"),
            ("UPDATE deployment SET identifier = 'another'", "copy.sqlite", "belongs to deployment another"),
        ]
        for (sql, location, words) in findings {
            let report = try await self.report(pipeline, after: sql)
            #expect(report.findings.count == 1, "\(sql): \(report.findings)")
            let finding = try #require(report.findings.first)
            #expect(finding.subject == .effect && finding.location.contains(location), "\(sql): \(finding)")
            #expect("\(finding.location) \(finding.detail)".contains(words), "\(sql): \(finding)")
        }
        let renamed = try await self.report(pipeline, after: "UPDATE effects SET name = 'brew' WHERE request = \(row)")
        #expect(renamed.findings.count == 2)
        #expect(renamed.findings.contains { $0.location.hasSuffix(" book") && $0.detail.contains("make it again") })
        #expect(renamed.findings.contains { $0.location.hasSuffix(" brew") && $0.detail.contains(", named 0") })
        let stray = try await self.report(
            pipeline,
            after: "INSERT INTO effects VALUES (\(answer), 'gift', 0, '1', 1, NULL)"
        )
        #expect(stray.isSound, "\(stray.findings)")
        #expect(stray.notes.contains { $0.hasPrefix("No committed turn made effects ") })
    }

    /// Books, and then says what the recipient's name asks for; what it has booked can be undone.
    private struct UndoingHandler: IntentHandler {
        var handling: Handling<TransferIntent> {
            Handle { intent, context in
                try await context.effect("book") { _ in intent.amount ?? 0 }
                return IntentResponse(code: intent.recipient == "refused" ? .failure : .success)
            }
            Undo("book") { (amount: Int, intent, context, store) in
                guard amount < 1_000 else { throw UndoRefusal("Too much.") }
            }
        }
    }

    @Test("R75: effects that were undone are as sound as the others; a lost or changed undo is found")
    func findsLostUndos() async throws {
        let ledger = try await SQLiteLedger.open(at: self.path)
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        try await ledger.join(deployment, on: log)
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        let registrations = [IntentRegistration(confirmation: .never) { UndoingHandler() }]
        let pipeline = try await Pipeline.run(
            registrations,
            settings: settings,
            partitions: 2,
            log: log,
            ledger: ledger
        ) { pipeline in
            try await pipeline.transfer("good")
            try await pipeline.transfer("undone", recipient: "refused")
            try await pipeline.transfer("kept", recipient: "refused", amount: 1_000)
        }
        let sound = try await pipeline.verify(store: self.path)
        #expect(sound.isSound && sound.effects == 2, "\(sound.findings)")
        #expect(!sound.notes.contains { $0.contains("No committed turn") }, "\(sound.notes)")
        let lost = try await self.report(pipeline, after: "DELETE FROM undone_effects")
        #expect(lost.findings.contains { $0.detail.contains("it could be undone again") })
        #expect(lost.findings.contains { $0.detail.contains("a retry would make it again") })
        let changed = try await self.report(pipeline, after: "UPDATE undone_effects SET result = '-1'")
        #expect(changed.findings.count == 1 && changed.findings[0].location.hasPrefix("undone_effects "))
    }

    @Test("Without the file the report says that effects were not compared")
    func reportsMissingLedgerFile() async throws {
        let pipeline = try await self.run()
        let report = try await pipeline.verify(store: self.directory.file("nowhere.sqlite"))
        #expect(report.isSound && report.notes.contains { $0.contains("nowhere.sqlite") })
    }
}
