import Foundation
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@testable import IntentOperations

/// Turns of real deployments, each recorded by its behaviour's own version, produce the same bytes today.
///
/// A failure of today's behaviour means that a turn writes something else than before, on purpose or by accident. If it
/// is on purpose, `TurnRecord.currentBehaviour` is raised and its journal recorded (Upgrading.md says how). For a
/// change of a handler, the version in its registration is raised, and the journal is recorded again.
@Suite("R42: results of turns change only with the behaviour's version")
struct GoldenJournalTests {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    private static func replay(_ behaviour: Int) async throws -> ReplayReport {
        let log = try RecordedLog(Self.file(behaviour))
        let directory = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.values[Setting.samples.key] = .init(value: .text("true"), origin: .byDefault)
        // Configured wording belongs to no behaviour: the journals were recorded without it.
        for setting in [Setting.promptsDirectory, .vocabularies] {
            configuration.values[setting.key] = .init(value: .text(directory.path), origin: .byDefault)
        }
        let definitions = Self.files.appending(path: "trains.yaml").path
        configuration.values[Setting.definitions.key] = .init(value: .list([definitions]), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: .intentd)
        let environment = StageEnvironment(
            stage: .resolve,
            registry: intents.registry,
            settings: configuration.runtimeSettings,
            deployment: log.deployment,
            prefix: "intents",
            partitions: log.partitions,
            worker: "replay",
            globalVocabularies: intents.vocabularies
        )
        return try await Replayer(log: log, environment: environment, configuration: .init(parallelism: 2)).run()
    }

    private static func file(_ behaviour: Int) -> URL { Self.files.appending(path: "behaviour-\(behaviour).ndjson") }

    @Test(
        "Every turn that this behaviour has recorded matches",
        .enabled(
            if: FileManager.default.fileExists(atPath: Self.file(TurnRecord.currentBehaviour).path),
            "The journal of a behaviour is recorded before its release."
        )
    )
    func turnsOfThisBehaviourMatch() async throws {
        let report = try await Self.replay(TurnRecord.currentBehaviour)
        #expect(report.isMatched, "\(report.verdicts.prefix(3).map(\.json))")
        #expect(report.turns > 200)
        print("golden: \(report.summary)")
    }

    @Test(
        "Every turn of an earlier behaviour matches, because it is run by the rules of that behaviour",
        arguments: [3, 4, 5]
    )
    func earlierBehavioursMatchWhenRunAsThen(_ behaviour: Int) async throws {
        let report = try await Self.replay(behaviour)
        #expect(report.isMatched, "\(report.verdicts.prefix(3).map(\.json))")
        #expect(report.turns > 200)
    }

    @Test("Turns of earlier behaviours match or are Incomparable, and never Diverged", arguments: [1, 2])
    func earlierBehavioursNeverDiverge(_ behaviour: Int) async throws {
        let report = try await Self.replay(behaviour)
        #expect(report.counts[.diverged] == nil)
        #expect(report.counts[.error] == nil)
        #expect(report.counts[.missing] == nil)
        // Few rules have changed, and everything else is still proved.
        #expect(report.counts[.matched] ?? 0 > report.turns / 2)
        for verdict in report.verdicts {
            #expect(
                verdict.advice.contains("behaviour \(behaviour)") || verdict.advice == "The same as the ones before it."
            )
        }
        print("golden \(behaviour): \(report.summary)")
    }
}

/// The records of `Tests/Judges/golden.py`, each in its place; read-only.
private final class RecordedLog: EventLog {
    /// The deployment's id.
    let deployment: String
    /// The number of partitions of each topic.
    let partitions: Int
    private let records: [TopicPartition: [LogRecord]]

    init(_ file: URL) throws {
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        let head = try JSONValue(parsing: Array(try #require(lines.first)))
        self.deployment = try #require(head["deployment"]?.string)
        self.partitions = Int(try #require(head["partitions"]?.integer))
        var records: [TopicPartition: [LogRecord]] = [:]
        for line in lines.dropFirst() {
            let json = try JSONValue(parsing: Array(line))
            let topicPartition = TopicPartition(
                "intents.\(try #require(json["topic"]?.string))",
                Int(try #require(json["partition"]?.integer))
            )
            let record = LogRecord(
                topicPartition: topicPartition,
                offset: try #require(json["offset"]?.integer),
                timestamp: try #require(json["timestamp"]?.integer),
                key: Self.bytes(json["key"]),
                value: Self.bytes(json["value"]),
                headers: try #require(json["headers"]?.array)
                    .map { LogHeader(try #require($0.array?.first?.string), bytes: Self.bytes($0.array?.last)) }
            )
            records[topicPartition, default: []].append(record)
        }
        self.records = records
    }

    private static func bytes(_ json: JSONValue?) -> [UInt8]? {
        if let text = json?.string { return Array(text.utf8) }
        return json?["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }

    private var readOnly: LogError { LogError(.configuration, "This log was recorded: it can only be read.") }

    func offsets(_ topicPartitions: [TopicPartition], at query: OffsetQuery) async throws(LogError) -> [TopicPartition:
        Int64]
    {
        var offsets: [TopicPartition: Int64] = [:]
        for topicPartition in topicPartitions {
            let all = self.records[topicPartition] ?? []
            let end = (all.last?.offset ?? -1) + 1
            offsets[topicPartition] =
                switch query {
                case .earliest: 0
                case .end, .lastStable: end
                case .time(let time): all.first { $0.timestamp >= time }?.offset ?? end
                }
        }
        return offsets
    }

    func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        RecordedReader(records: self.records, from: offsets)
    }

    func topics() async throws(LogError) -> [TopicDescription] {
        Set(self.records.keys.map(\.topic)).sorted().map { TopicDescription(name: $0, partitions: self.partitions) }
    }

    func committedOffsets(group: GroupName, partitions: [TopicPartition]) async throws(LogError)
        -> [TopicPartition: Int64]
    { [:] }

    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        throw self.readOnly
    }

    func makeProducer() async throws(LogError) -> any LogProducer { throw self.readOnly }

    func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> { throw self.readOnly }

    func close() async {}
}

/// Reads a recorded log.
private final class RecordedReader: LogReader {
    private let records: [TopicPartition: [LogRecord]]
    private let positions: Mutex<[TopicPartition: Int64]>

    init(records: [TopicPartition: [LogRecord]], from offsets: [TopicPartition: Int64]) {
        self.records = records
        self.positions = Mutex(offsets)
    }

    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch {
        self.positions.withLock { positions in
            var batch: [LogRecord] = []
            for (topicPartition, position) in positions {
                let found = (self.records[topicPartition] ?? []).filter { $0.offset >= position }
                    .prefix(max(0, maxRecords - batch.count))
                batch += found
                if let last = found.last { positions[topicPartition] = last.offset + 1 }
            }
            return ReaderBatch(records: batch, positions: positions)
        }
    }

    func close() async {}
}
