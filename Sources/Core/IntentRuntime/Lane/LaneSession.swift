internal import IntentEvents
import Logging

/// A lane's work from joining its group to the first error of the log, or to its end.
///
/// One task uses it.
final class LaneSession {
    let log: any EventLog
    let configuration: LaneConfiguration
    let environment: StageEnvironment
    let cache: StateCache
    let logger: Logger
    /// What the lane holds, by partition.
    var partitions: [Int: PartitionWork] = [:]
    /// The group's events during a restore.
    private var postponed: [LaneEvent] = []
    var checkpoint: StateCheckpoint
    /// Partitions whose latest records are covered by no committed offset yet.
    var uncounted: Set<Int> = []
    /// Partitions whose position beyond their last record, behind markers, is not committed yet.
    var passed: Set<Int> = []
    var passedSince: Duration?
    /// What it checks besides its records.
    let reading: ReadingOptions
    /// The lane's condition, for monitoring.
    let health: LaneHealth
    private let observer: ReadingObserver?
    /// When the parked turns are checked again.
    private var nextParkedCheck = Duration.zero
    /// The number of committed batches: a session with any was not broken from the start.
    var committedBatches = 0
    /// Events whose turns wrote records that a topic does not accept: they go to dead letters when they come again.
    var unwritable: Set<RecordPosition>

    init(
        log: any EventLog,
        configuration: LaneConfiguration,
        environment: StageEnvironment,
        spill: (any StateSpill)?,
        unwritable: Set<RecordPosition> = [],
        reading: ReadingOptions = ReadingOptions(),
        health: LaneHealth,
        logger: Logger
    ) {
        self.log = log
        self.configuration = configuration
        self.cache = StateCache(
            spill: spill,
            budget: environment.settings.stateMemory,
            retention: environment.settings.stateRetention
        )
        self.checkpoint = StateCheckpoint(lag: environment.settings.stateLag)
        self.environment = environment
        self.unwritable = unwritable
        self.reading = reading
        self.health = health
        self.observer = reading.limits.map {
            ReadingObserver($0, log: log, clock: environment.clock, health: health, logger: logger)
        }
        self.logger = logger
    }

    /// Polls and commits until it has to stop.
    func run(_ lane: any TransactionalLane, _ machine: inout LaneMachine, mustStop: () -> Bool) async throws(LogError) {
        let mailbox = TurnMailbox { lane.wake() }
        while !mustStop() {
            let events = try await self.nextEvents(lane)
            var records: [LogRecord] = []
            for event in events {
                switch machine.receive(event) {
                case .restore(let offsets):
                    self.health.enter(machine.phase)
                    let taken = try await self.assign(offsets) { () async throws(LogError) in
                        self.postponed += try await lane.poll(maxRecords: 1, timeout: .zero)
                        return self.postponed.isEmpty && !mustStop()
                    }
                    guard let taken else {
                        self.drop(Set(offsets.keys.map(\.partition)))
                        continue
                    }
                    try await lane.start(at: taken.starts)
                    machine.finishRestoring()
                    self.health.enter(machine.phase)
                    for (work, users) in taken.parked {
                        self.startIdleTurns(of: work, users, isRestored: true, mailbox)
                    }
                case .release(let partitions):
                    self.drop(partitions)
                    try await lane.release()
                    records = []
                case .process(let read):
                    self.environment.metrics?.consumed(read)
                    try self.checkFormats(of: read)
                    if records.isEmpty { records = read } else { records.append(contentsOf: read) }
                }
            }
            try await self.process(records, mailbox, lane)
            try self.environment.foreignEntries.check(self.environment.ledger, prefix: self.environment.prefix)
            try await self.throttle(lane, &machine)
            try await self.observer?.checkIfDue(lane, paused: machine.isPaused ? Set(self.inputs) : [])
            try await self.cache.evict(self.partitions.values, at: self.environment.clock.now)
            try await self.save()
            self.recordRound()
        }
    }

    /// Reports its condition and what it holds.
    private func recordRound() {
        self.health.recordRound(partitions: self.partitions.count)
        self.recordParked()
        guard let metrics = self.environment.metrics else { return }
        var gauges = StageMetrics.LaneGauges(partitions: self.partitions.count)
        for work in self.partitions.values {
            gauges.parked += work.unfinished.count
            gauges.queued += work.queues.values.reduce(0) { $0 + $1.count }
            gauges.pauses = max(gauges.pauses, work.table.pauses.count)
            gauges.held += work.held.count
            gauges.stateEntries += work.table.entryCount
            gauges.stateBytes += work.table.byteCount
        }
        metrics.set(gauges, lane: self.configuration.name.text)
    }

    /// Reports the parked turns and the pauses, once a second: there may be thousands of turns.
    private func recordParked() {
        let now = self.environment.clock.uptime
        guard now >= self.nextParkedCheck else { return }
        self.nextParkedCheck = now + .seconds(1)
        let first = self.partitions.values.compactMap { $0.unfinished.values.min() }.min()
        self.health.set(
            parked: self.partitions.values.reduce(0) { $0 + $1.unfinished.count },
            // The clocks of two workers differ: a first attempt is never in the future.
            since: first.map { now - .milliseconds(max(0, self.environment.clock.now - $0)) }
        )
        self.health.set(pauses: Set(self.partitions.values.flatMap(\.table.pauses)))
    }

    /// Checks that this version supports the format of every record; if not, nothing of the batch is committed.
    private func checkFormats(of records: [LogRecord]) throws(LogError) {
        let formats = self.environment.settings.formats
        // By index: a copy of each record would cost more than the check.
        for index in records.indices where formats.concerns(records[index].content) {
            let record = records[index]
            guard let topic = self.environment.topic(of: record) else { continue }
            try formats.check(record, on: topic)
        }
    }

    /// The events that were postponed during a restore, else the next ones.
    private func nextEvents(_ lane: any TransactionalLane) async throws(LogError) -> [LaneEvent] {
        guard self.postponed.isEmpty else {
            defer { self.postponed = [] }
            return self.postponed
        }
        return try await lane.poll(maxRecords: self.environment.settings.batchMaxRecords, timeout: self.pollTimeout)
    }

    /// How long a poll may wait: until the next deadline.
    private var pollTimeout: Duration {
        let now = self.environment.clock.now
        let next = self.partitions.values.compactMap(\.timers.next).min()
        let milliseconds = next.map { max(0, $0 - now) } ?? 1_000
        return .milliseconds(min(milliseconds, 1_000))
    }

    /// Stops reading input while too many turns are parked (back-pressure).
    ///
    /// Signals are still read: the timers that end parked turns are among them.
    private func throttle(_ lane: any TransactionalLane, _ machine: inout LaneMachine) async throws(LogError) {
        let parked = self.partitions.values.reduce(0) { $0 + $1.running.count }
        switch machine.throttle(parked: parked, limit: self.environment.settings.maxParked) {
        case .pause: try await lane.pause(self.inputs)
        case .resume: try await lane.resume(self.inputs)
        case nil: break
        }
    }

    /// The partitions of the stage's own input, without signals.
    private var inputs: [TopicPartition] {
        let topic = self.environment.stage.inputTopic
        return self.partitions.keys.map { self.environment.topicPartition(topic, $0) }
    }
}
