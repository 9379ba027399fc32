import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Logging
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("How long records and effects are kept")
struct RecordsPruneTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func configuration(_ settings: [(Setting, SettingValue)] = []) -> Configuration {
        var configuration = Configuration()
        let common: [(Setting, SettingValue)] = [(.data, .text(self.directory.path)), (.logLevel, .text("critical"))]
        for (setting, value) in common + settings {
            configuration.values[setting.key] = .init(value: value, origin: .byDefault)
        }
        return configuration
    }

    @Test("The minimum is the topics' retention plus the longest time that an interaction may take")
    func shortestRetentionCoversTopicsAndInteractions() throws {
        #expect(RecordRetention(self.configuration()).minimumDays == 38)
        #expect(RecordRetention(self.configuration([(.topicsRetentionDays, .integer(1))])).minimumDays == 15)
        let days = self.configuration([(.interactionsParkedMaxAge, .duration(.seconds(86_400 * 20)))])
        #expect(RecordRetention(days).minimumDays == 30 + 21)
        let window = self.configuration([(.requestsDedupeWindow, .duration(.seconds(86_400 * 50)))])
        #expect(RecordRetention(window).minimumDays == 30 + 51)
        let short = self.configuration([(.recordsRetentionDays, .integer(37))])
        let failure = #expect(throws: OperationError.self) { try RecordRetention(short).check(short) }
        #expect(failure?.code == .configuration)
        for word in ["37", "38", "topics.retentionDays", "interactions.parkedMaxAge", "twice"] {
            #expect(failure?.message.contains(word) == true, "\(word)")
        }
        let enough = self.configuration([(.recordsRetentionDays, .integer(38))])
        try RecordRetention(enough).check(enough)
        try RecordRetention(self.configuration()).check(self.configuration())
    }

    @Test("A shorter setting, and a later time, are refused", .timeLimit(.minutes(1)))
    func refusesRetentionBelowMinimum() async throws {
        let file = try self.directory.write("records: {retentionDays: 7}\n", to: "short.yaml")
        let options = ["--data", self.directory.path, "--log-level", "critical"]
        #expect(await RootCommand.run(["config", "check", "--config", file] + options) == 78)
        #expect(await RootCommand.run(["up", "--config", file] + options) == 78)
        #expect(await RootCommand.run(["records", "prune", "--older-than", "10d"] + options) == 78)
        #expect(await RootCommand.run(["records", "prune"] + options) == 64)
        #expect(await RootCommand.run(["records", "prune", "--older-than", "x"] + options) == 64)
        let both = ["--older-than", "90d", "--before", "2020-01-01T00:00:00Z"]
        #expect(await RootCommand.run(["records", "prune"] + both + options) == 64)
        #expect(await RootCommand.run(["records", "prune", "--older-than", "90d"] + options) == 69)
    }

    @Test("A running recorder prunes on request; without one the command does it", .timeLimit(.minutes(1)))
    func runningRecorderPrunesOnRequest() async throws {
        let configuration = self.configuration([(.recordsRetentionDays, .integer(40))])
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let prune = [
            "records", "prune", "--older-than", "90d", "--data", self.directory.path, "--log-level", "critical",
        ]
        try await LogAccess.start(configuration, listen: nil)
            .use { log in
                let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
                let services = try assembly.services(WorkerRole.allCases, name: "test", lanes: 1, isScripted: false)
                try await assembly.run(services)
                    .during {
                        let records = configuration.data.records
                        try await DirectoryChanges(of: configuration.data.path)
                            .until { FileManager.default.fileExists(atPath: records) }
                        let tried = await Printed.by(prune + ["--dry-run"])
                        #expect(tried.status == 0)
                        #expect(tried.text.hasPrefix("nothing is older than "))
                        #expect(await RootCommand.run(prune) == 0)
                        #expect(!PruneRequest(records: configuration.data.records).isOpen)
                    }
                let done = await Printed.by(prune + ["--json"])
                #expect(done.status == 0)
                #expect(try JSONValue(parsing: done.text)["dryRun"] == false)
            }
    }

    @Test("The recorder's pruner removes old records, and closes the request that it has fulfilled")
    func prunerRemovesOldRecordsAndClosesRequest() async throws {
        let path = self.directory.file("records.sqlite")
        let database = try await RecordDatabase.open(at: path, prefix: "intents")
        let topicPartition = TopicPartition("intents.requests", 0)
        func record(_ offset: Int64, _ timestamp: Int64) -> LogRecord {
            LogRecord(
                topicPartition: topicPartition,
                offset: offset,
                timestamp: timestamp,
                key: nil,
                value: nil,
                headers: []
            )
        }
        let clock = ManualClock(at: SystemRuntimeClock().now)
        let now = clock.now
        let claim = try await database.claim([topicPartition])
        let days: Int64 = 86_400_000
        let ages: [Int64] = [50, 41, 39, 0]
        let records = ages.enumerated().map { record(Int64($0.offset), (now + -$0.element * days).milliseconds) }
        _ = try await database.record(records, under: claim)
        let request = PruneRequest(records: path)
        let pruner = RecordPruner(
            path: path,
            deployment: "d",
            days: 40,
            key: nil,
            clock: clock,
            logger: ReadableLogHandler.logger("test", level: .critical)
        )
        func events() async throws -> Int? {
            try await RecordArchive.open(at: path).rows(before: now + days)["events"]
        }
        let task = Task { await pruner.run(database) }
        await clock.sleepers(1)
        #expect(try await events() == 2)
        try request.make(before: now + -1)
        #expect(throws: OperationError.self) { try request.make(before: now) }
        clock.advance(by: .seconds(1))
        await clock.sleepers(1)
        #expect(!request.isOpen)
        #expect(try await events() == 1)
        task.cancel()
        await task.value
        await database.close()
    }
}
