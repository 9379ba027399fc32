import IntentEvents
import IntentRuntime
import IntentLab

/// The rate at which a starting worker restores the state of its partitions, beside reading the topic alone.
struct RestoreCheck {
    private let bench: MeasuredLog
    private let events: Int

    /// Prepares to process this many requests, and to start a worker that must remember them.
    init(bench: MeasuredLog, events: Int) {
        self.bench = bench
        self.events = events
    }

    /// Processes, then reads and starts.
    func run(into report: inout Report) async throws {
        self.bench.announce("pipeline from a backlog")
        let pipeline = try await Pipeline.make(self.bench)
        _ = try await Backlog.write(self.events, to: pipeline.input, self.bench)
        try await pipeline.run {
            _ = try await Drain.measure(self.events, on: pipeline.output, self.bench) {
                RequestMaker.terminalNumber($0) != nil
            }
        }
        self.bench.announce("a reader of the state")
        let (entries, reading) = try await self.read(pipeline.state)
        self.bench.announce("a start with state")
        // The first start after others takes longer, and is not representative.
        _ = try await self.start(pipeline, on: "first", request: self.events)
        let starting = try await self.start(pipeline, on: "new", request: self.events + 1)
        self.bench.announce("a start that finds its file")
        let finding = try await self.start(pipeline, on: "new", request: self.events + 2)
        self.bench.announce("a start that keeps all in memory")
        let keeping = try await self.start(pipeline, on: nil, request: self.events + 3)
        report.columns = ("reader", "worker")
        report.add(
            "state of \(self.events) interactions",
            "entries/s",
            floor: Double(entries) / reading.seconds,
            value: Double(entries) / (starting.seconds - finding.seconds)
        )
        report.add(
            "processor time",
            "µs/entry",
            floor: reading.processor / Double(entries) * 1e6,
            value: (starting.processor - finding.processor) / Double(entries) * 1e6
        )
        report.add(
            "without a file of its own",
            "entries/s",
            floor: Double(entries) / reading.seconds,
            value: Double(entries) / (keeping.seconds - finding.seconds)
        )
        report.add(
            "until the first event was handed on, with its file found and without",
            "s",
            floor: finding.seconds,
            value: starting.seconds
        )
    }

    /// Starts a worker of `resolve`, and waits until it has passed on one more event.
    private func start(
        _ pipeline: Pipeline,
        on machine: String?,
        request: Int
    ) async throws -> (seconds: Double, processor: Double) {
        let ends = try await self.bench.ends(of: pipeline.resolved)
        _ = try await Backlog.write(1, from: request, to: pipeline.input, self.bench)
        let (began, processor) = (ContinuousClock.now, ProcessorTime.seconds)
        try await pipeline.runResolve(on: machine) {
            try await ResponseWatcher.watch(ends, of: self.bench.log, timeout: .seconds(300)) { records, _ in
                !records.isEmpty
            }
        }
        return (began.duration(to: .now).inSeconds, ProcessorTime.seconds - processor)
    }

    private func read(
        _ topic: TopicName
    ) async throws -> (entries: Int, time: (seconds: Double, processor: Double)) {
        let topicPartitions = self.bench.partitions(of: topic)
        let starts = try await self.bench.log.offsets(topicPartitions, at: .earliest)
        let ends = try await self.bench.log.offsets(topicPartitions, at: .lastStable)
        let (began, processor) = (ContinuousClock.now, ProcessorTime.seconds)
        let reader = try await self.bench.log.makeReader(from: starts)
        var (count, open) = (0, ends.filter { starts[$0.key] ?? 0 < $0.value })
        while !open.isEmpty {
            let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
            count += batch.records.count
            for (topicPartition, position) in batch.positions where position >= open[topicPartition] ?? .max {
                open[topicPartition] = nil
            }
        }
        let time = (began.duration(to: .now).inSeconds, ProcessorTime.seconds - processor)
        await reader.close()
        return (count, time)
    }
}
