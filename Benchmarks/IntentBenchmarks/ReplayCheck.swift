import Foundation
import IntentAudit
import IntentEvents
import IntentRuntime
import IntentLab

/// The rates at which recorded turns are replayed and played again, beside the rate at which they were processed in the
/// same run; and the size of the journal.
struct ReplayCheck {
    private let bench: MeasuredLog
    private let events: Int

    /// Prepares to process this many requests and to replay them.
    init(bench: MeasuredLog, events: Int) {
        self.bench = bench
        self.events = events
    }

    /// Processes, then replays.
    func run(into report: inout Report) async throws {
        self.bench.announce("pipeline from a backlog")
        let pipeline = try await Pipeline.make(self.bench, hasLedger: true)
        _ = try await Backlog.write(self.events, to: pipeline.input, self.bench)
        let drain = try await pipeline.run {
            let (began, processor) = (ContinuousClock.now, ProcessorTime.seconds)
            var drain = try await Drain.measure(self.events, on: pipeline.output, self.bench) {
                RequestMaker.terminalNumber($0) != nil
            }
            await pipeline.waitUntilRecorded(self.events)
            drain.recorded = began.duration(to: .now).inSeconds
            drain.processor = ProcessorTime.seconds - processor
            return drain
        }
        let environment = pipeline.environment
        let width = ProcessInfo.processInfo.activeProcessorCount
        self.bench.announce("replay")
        let began = ContinuousClock.now
        let processor = ProcessorTime.seconds
        let replay = try await Replayer(
            log: self.bench.log,
            environment: environment,
            configuration: .init(parallelism: width)
        )
        .run()
        let seconds = began.duration(to: .now).inSeconds
        let replayProcessor = ProcessorTime.seconds - processor
        guard replay.isMatched else { throw BenchmarkError("The replay did not match: \(replay.summary).") }
        self.bench.announce("shadow")
        let shadowBegan = ContinuousClock.now
        let shadow = try await ShadowReplayer(log: self.bench.log, environment: environment, parallelism: width).run()
        let shadowSeconds = shadowBegan.duration(to: .now).inSeconds
        guard shadow.differing == 0 else { throw BenchmarkError("The shadow differs: \(shadow.summary).") }
        let turns = Double(replay.turns)
        report.columns = ("processing", "replay")
        report.add(
            "turns, processed and recorded",
            "turns/s",
            floor: drain.recordedRate * turns / Double(self.events),
            value: turns / seconds
        )
        report.add(
            "turns, until the last answer was there",
            "turns/s",
            floor: drain.rate * turns / Double(self.events),
            value: turns / seconds
        )
        report.add(
            "interactions with `--shadow`",
            "interactions/s",
            floor: drain.rate,
            value: Double(self.events) / shadowSeconds
        )
        report.add(
            "processor time",
            "µs/turn",
            floor: drain.processor / turns * 1e6,
            value: replayProcessor / turns * 1e6
        )
        let size = try await self.journalSize(environment)
        report.add("journal, values", "bytes/turn", floor: Double(size.values) / Double(size.count))
        report.add("journal, headers and keys", "bytes/turn", floor: Double(size.rest) / Double(size.count))
    }

    private func journalSize(_ environment: StageEnvironment) async throws -> (count: Int, values: Int, rest: Int) {
        var size = (count: 0, values: 0, rest: 0)
        let topicPartitions = self.bench.partitions(of: Topic.journal.name(prefix: environment.prefix))
        let ends = try await self.bench.log.offsets(topicPartitions, at: .lastStable)
        for topicPartition in topicPartitions {
            let cursor = PartitionCursor(self.bench.log, topicPartition, from: 0, to: ends[topicPartition] ?? 0)
            while let records = try await cursor.next() {
                for record in records {
                    size.count += 1
                    size.values += record.value?.count ?? 0
                    size.rest += record.headers.reduce(record.key?.count ?? 0) {
                        $0 + $1.name.utf8.count + ($1.value?.count ?? 0)
                    }
                }
            }
        }
        return size
    }
}
