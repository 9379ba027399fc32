import Foundation
import InMemoryLog
import IntentAudit
import IntentEvents
import IntentRuntime
import IntentLab
import IntentRecords

/// The cost of recording alone: batches as polls return them are written to a file, without a broker.
///
/// The records come from the three stages on a log in memory; creating them is not measured.
struct RecorderCheck {
    private let requests: Int
    private let rounds: Int
    /// The number of records in a batch: what a poll returns from a backlog.
    private static let batch = 10_000
    /// The number of consecutive records of a partition, as in a fetch.
    private static let chunk = 100

    /// Prepares this many rounds of recording this many requests, each into a new file.
    init(requests: Int, rounds: Int) {
        self.requests = requests
        self.rounds = rounds
    }

    /// Creates the records, and records them.
    func run(into report: inout Report) async throws {
        let pipeline = try await MemoryPipeline(.init(registry: try BenchmarkIntent.registry()))
        _ = try await pipeline.process(self.requests)
        let prefix = pipeline.deployment.prefix
        let records = try await Self.interleaved(pipeline.log, prefix)
        let directory = FileManager.default.temporaryDirectory.appending(path: "recorder-check-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var processor: [Double] = []
        var bytes = 0
        for round in 0..<self.rounds {
            let path = directory.appending(path: "records-\(round).sqlite").path
            let database = try await RecordDatabase.open(at: path, prefix: prefix)
            let claim = try await database.claim(Set(records.map(\.topicPartition)).sorted())
            let before = ProcessorTime.seconds
            for start in stride(from: 0, to: records.count, by: Self.batch) {
                let batch = Array(records[start..<min(start + Self.batch, records.count)])
                _ = try await database.record(batch, under: claim)
            }
            processor.append(ProcessorTime.seconds - before)
            await database.close()
            bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            try FileManager.default.removeItem(atPath: path)
        }
        let requests = Double(self.requests)
        report.columns = ("recorder", "")
        report.add("records", "records/request", floor: Double(records.count) / requests)
        report.add("processor time, median", "µs/request", floor: Report.median(processor) / requests * 1e6)
        report.add("processor time, least", "µs/request", floor: (processor.min() ?? 0) / requests * 1e6)
        report.add("file", "bytes/request", floor: Double(bytes) / requests)
    }

    /// All recorded records, with the partitions interleaved as fetches return them.
    private static func interleaved(_ log: InMemoryLog, _ prefix: String) async throws -> [LogRecord] {
        let partitions = try await RecordRebuild(log: log, prefix: prefix).partitions()
        let ends = try await log.offsets(partitions, at: .lastStable)
        var rest: [ArraySlice<LogRecord>] = []
        for partition in partitions {
            var records: [LogRecord] = []
            let cursor = PartitionCursor(log, partition, from: 0, to: ends[partition] ?? 0)
            while let read = try await cursor.next() { records += read }
            rest.append(records[...])
        }
        var interleaved: [LogRecord] = []
        while rest.contains(where: { !$0.isEmpty }) {
            for index in rest.indices {
                interleaved += rest[index].prefix(Self.chunk)
                rest[index] = rest[index].dropFirst(Self.chunk)
            }
        }
        return interleaved
    }
}
