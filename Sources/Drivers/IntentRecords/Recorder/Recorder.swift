internal import CoreMetrics
internal import IntentEvents
package import IntentRuntime
package import Logging
internal import ServiceLifecycle
internal import Telemetry

/// The fourth group: reads every topic but `state`, and stores each record exactly once (R39).
///
/// The store's own offsets say where to continue; those that the lane commits are for `intentd lag` only. Nothing on
/// the topics stops it. An error of the log or the store ends the lane, and a new one starts where the store is.
package struct Recorder: Service {
    private let log: any EventLog
    private let store: any RecordStore
    private let configuration: Configuration
    private let logger: Logger
    private let rows: (any CounterHandler)?
    private let duration: (any TimerHandler)?

    /// Makes a recorder; nothing is read until it runs.
    package init(log: any EventLog, store: any RecordStore, configuration: Configuration, logger: Logger) {
        self.log = log
        self.store = store
        self.configuration = configuration
        self.logger = logger
        self.rows = configuration.metrics?.counter(Metrics.catalog.recordedRows)
        self.duration = configuration.metrics?.timer(Metrics.catalog.recordingDuration)
    }

    /// Records until its task is cancelled or its service group shuts down; the current batch is finished.
    /// - Throws: ``LogError`` that only an operator can resolve (`LogError.Code.needsOperator`), such as `topicsChanged`
    ///   when the store was filled from other topics.
    package func run() async throws {
        try await cancelWhenGracefulShutdown { try await self.record() }
    }

    private func record() async throws {
        var failures = 0
        var topics = self.configuration.deployment.map {
            TopicGuard(
                $0,
                missingTimeout: self.configuration.reading.topicMissingTimeout,
                clock: self.configuration.clock
            )
        }
        while !Task.isCancelled {
            do {
                try await topics?.confirm(on: self.log)
                try await self.withLane { lane in
                    try await self.serve(lane) { failures = 0 }
                }
            } catch {
                if let error = error as? LogError {
                    guard topics != nil || !error.code.needsOperator else { throw error }
                    try await topics?.check(error, on: self.log)
                }
                failures += 1
                self.configuration.health?.enter(.failing("\(error)"))
                let delay = self.configuration.retryDelay(after: failures)
                self.logger.warning(
                    "Recording was interrupted; restarting",
                    metadata: [
                        TelemetryKey.errorMessage: "\(error)", TelemetryKey.retryDelay: "\(delay)",
                        TelemetryKey.failures: "\(failures)",
                    ]
                )
                // Cancellation ends the pause, and then the loop.
                try? await self.configuration.clock.sleep(for: delay)
            }
        }
    }

    private func withLane(_ body: (any TransactionalLane) async throws -> Void) async throws {
        let lane = try await self.log.makeLane(self.configuration.lane)
        do {
            try await withTaskCancellationHandler {
                try await body(lane)
            } onCancel: {
                lane.wake()
            }
        } catch {
            // When it is asked to stop, it may be interrupted anywhere; otherwise the next lane has this one's name.
            await lane.close(Task.isCancelled ? self.configuration.departure() : .remainInGroup)
            throw error
        }
        await lane.close(self.configuration.departure())
    }

    private func serve(_ lane: any TransactionalLane, onProgress: () -> Void) async throws {
        var claim = RecordClaim(epochs: [:], starts: [:])
        let observer = self.configuration.reading.limits.map {
            ReadingObserver(
                $0,
                log: self.log,
                clock: self.configuration.clock,
                health: self.configuration.health,
                logger: self.logger
            )
        }
        var passing = PassedOffsets()
        var unreported = UnreportedOffsets()
        var polled: [LaneEvent] = []
        while !Task.isCancelled {
            try await observer?.checkIfDue(lane, paused: [])
            var events = polled
            polled = []
            if events.isEmpty {
                let wait = unreported.remaining(at: self.configuration.clock.uptime) ?? self.configuration.pollTimeout
                events = try await lane.poll(
                    maxRecords: self.configuration.maxRecords,
                    timeout: min(wait, self.configuration.pollTimeout)
                )
            }
            if events.isEmpty {
                passing.record(await lane.positions(), at: self.configuration.clock.uptime)
                try await self.pass(passing.due(at: self.configuration.clock.uptime), &passing, &unreported, claim)
            }
            for event in events {
                switch event {
                case .assigned(let partitions):
                    claim = try await self.claim(partitions.keys.sorted())
                    passing = PassedOffsets(claim)
                    try await lane.start(at: claim.starts)
                    self.configuration.health?.enter(.working)
                    // The previous owner may not have reported all of it.
                    unreported = UnreportedOffsets()
                    unreported.record(claim.starts.compactMapValues(\.self), at: self.configuration.clock.uptime)
                case .revoked:
                    claim = RecordClaim(epochs: [:], starts: [:])
                    passing = PassedOffsets()
                    unreported = UnreportedOffsets()
                    try await lane.release()
                case .records(let records):
                    // Records are the only event of a poll.
                    let offsets: [TopicPartition: Int64]
                    (offsets, polled) = try await self.keepAndReadAhead(records, under: claim, lane)
                    unreported.record(offsets, at: self.configuration.clock.uptime)
                    passing.count(offsets)
                    onProgress()
                }
            }
            switch polled.first {
            case nil, .records: try await self.report(unreported.popDue(at: self.configuration.clock.uptime), lane)
            // The assignment has changed: these offsets cannot be committed any more.
            case .assigned, .revoked: break
            }
            self.configuration.health?.recordRound(partitions: Set(claim.starts.keys.map(\.partition)).count)
        }
        // Records that were written before the stop may still be gathered. So whoever stops a deployment after an
        // answer finds the answer in the records.
        leaving: for _ in 0..<2 {
            if polled.isEmpty {
                polled = try await lane.poll(maxRecords: self.configuration.maxRecords, timeout: .milliseconds(150))
            }
            for event in polled {
                guard case .records(let records) = event else { break leaving }
                let offsets = try await self.keep(records, under: claim)
                unreported.record(offsets, at: self.configuration.clock.uptime)
                passing.count(offsets)
            }
            polled = []
        }
        // All received records were stored, so positions beyond them can be stored before leaving.
        passing.record(await lane.positions(), at: self.configuration.clock.uptime)
        try await self.pass(passing.uncounted, &passing, &unreported, claim)
        try await self.report(unreported.drain(), lane)
    }

    /// Stores a batch; behind a full one, reads what comes next meanwhile.
    ///
    /// Behind a smaller one there is little, and small batches cost more.
    /// - Returns: The batch's offsets, and the events of the next poll; none if there was no poll.
    private func keepAndReadAhead(
        _ records: [LogRecord],
        under claim: RecordClaim,
        _ lane: any TransactionalLane
    ) async throws -> (offsets: [TopicPartition: Int64], next: [LaneEvent]) {
        guard records.count >= self.configuration.maxRecords else {
            return (try await self.keep(records, under: claim), [])
        }
        async let next = lane.poll(maxRecords: self.configuration.maxRecords, timeout: .zero)
        let offsets = try await self.keep(records, under: claim)
        return (offsets, try await next)
    }

    /// Stores a batch.
    private func keep(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws -> [TopicPartition: Int64] {
        guard !records.isEmpty else { return [:] }
        // By index: a copy of each record would cost more than the check.
        for index in records.indices where self.configuration.formats.concerns(records[index].content) {
            let record = records[index]
            guard let topic = Topic(name: record.topicPartition.topic, prefix: self.configuration.prefix) else {
                continue
            }
            do throws(LogError) {
                try self.configuration.formats.check(record, on: topic)
            } catch {
                guard self.configuration.reading.acceptsLoss else { throw error }
                self.logger.error(
                    "Recording a record of an unsupported format unchanged (--accept-loss)",
                    metadata: [TelemetryKey.errorMessage: "\(error)"]
                )
            }
        }
        let began = self.configuration.clock.uptime
        let offsets = try await self.store.record(records, under: claim)
        self.duration?.recordNanoseconds((self.configuration.clock.uptime - began).nanoseconds)
        self.rows?.increment(by: Int64(records.count))
        return offsets
    }

    /// Reports the store's offsets to the group.
    private func report(_ offsets: [TopicPartition: Int64], _ lane: any TransactionalLane) async throws(LogError) {
        guard !offsets.isEmpty else { return }
        try await lane.commit(LaneCommit(records: [], offsets: offsets))
    }

    /// Stores the positions beyond the last records.
    private func pass(
        _ offsets: [TopicPartition: Int64],
        _ passing: inout PassedOffsets,
        _ unreported: inout UnreportedOffsets,
        _ claim: RecordClaim
    ) async throws {
        guard !offsets.isEmpty else { return }
        try await self.store.pass(offsets, under: claim)
        unreported.record(offsets, at: self.configuration.clock.uptime)
        passing.count(offsets)
    }

    /// Claims partitions, and compares the store's offsets with what the topics still hold.
    private func claim(_ partitions: [TopicPartition]) async throws -> RecordClaim {
        if let count = self.configuration.deployment?.partitions,
            let added = partitions.first(where: { $0.partition >= count })
        {
            throw LogError(
                .topicsChanged,
                "there is now a partition \(added), but the topics were created with \(count) each (R6). Create topics with "
                    + "another prefix and move to them."
            )
        }
        var claim = try await self.store.claim(partitions)
        let extents = try await TopicExtents.ask(self.log, partitions)
        for partition in partitions {
            guard let start = claim.starts[partition] ?? nil else { continue }
            if let end = extents.ends[partition], start > end {
                throw LogError(
                    .topicsChanged,
                    "The records hold \(partition) up to offset \(start), but the topic ends at \(end): the topic "
                        + "was re-created, or the records belong to other topics. Use another data directory, or move "
                        + "the file away.",
                    // Or a broker has answered that does not know yet that another one leads the partition.
                    isRetriable: true
                )
            }
        }
        let starts = Dictionary(uniqueKeysWithValues: partitions.map { ($0, claim.starts[$0] ?? nil) })
        // The position up to which no visible record was skipped.
        let read = Dictionary(
            uniqueKeysWithValues: starts.map { topicPartition, start in
                (topicPartition, claim.passed[topicPartition].map { max($0, start ?? 0) } ?? start)
            }
        )
        let losses = try extents.losses(read)
        let gaps = losses.filter { $0.read != nil }
        if !gaps.isEmpty {
            let error = LogError.eventsLost(gaps, by: "the recorder")
            guard self.configuration.reading.acceptsLoss else { throw error }
            self.logger.error(
                "Skipping lost events (--accept-loss)",
                metadata: [TelemetryKey.errorMessage: "\(error)"]
            )
            for gap in gaps { claim.starts[gap.partition] = gap.earliest }
        }
        for loss in losses where loss.read == nil {
            self.logger.warning(
                "Retention removed events before they were recorded",
                metadata: [TelemetryKey.partition: "\(loss.partition)", TelemetryKey.to: "\(loss.earliest)"]
            )
        }
        for partition in partitions {
            let earliest = extents.earliest[partition] ?? 0
            // Skipped records may be gone as well.
            claim.starts[partition] = max((claim.starts[partition] ?? nil) ?? earliest, earliest)
        }
        return claim
    }
}
