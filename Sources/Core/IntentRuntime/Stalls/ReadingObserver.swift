package import Logging
import Synchronization
internal import Telemetry

/// Shows a watch the positions of a lane, and logs its findings; the lane never waits for it.
///
/// The polling task uses it between two polls: a lane that its own work keeps from polling is not watched.
package final class ReadingObserver {
    private struct Answer: Sendable {
        var observations: [TopicPartition: ReadingWatch.Observation]
        /// The first records of open transactions, where they could be read.
        var firstRecords: [TopicPartition: LogRecord]
    }

    /// Keeps an answer until the lane fetches it.
    private final class Letterbox: Sendable {
        private struct State {
            var isAsked = false
            var answer: Answer?
        }

        private let state = Mutex(State())

        /// Whether a question may be asked now: one at a time.
        func ask() -> Bool {
            self.state.withLock { state in
                defer { state.isAsked = true }
                return !state.isAsked
            }
        }

        /// Stores an answer; nil when there was none.
        func put(_ answer: Answer?) { self.state.withLock { $0 = State(isAsked: false, answer: answer) } }

        /// Removes and returns the answer, if there is one.
        func take() -> Answer? { self.state.withLock { $0.answer.take() } }
    }

    private let log: any EventLog
    private let limits: ReadingWatch.Limits
    private let clock: any RuntimeClock
    private let health: LaneHealth?
    private let logger: Logger
    private var watch: ReadingWatch
    private var nextCheck: Duration
    /// The lane's positions at the last check.
    private var positions: [TopicPartition: Int64] = [:]
    private let letterbox = Letterbox()

    package init(
        _ limits: ReadingWatch.Limits,
        log: any EventLog,
        clock: any RuntimeClock,
        health: LaneHealth? = nil,
        logger: Logger
    ) {
        self.health = health
        self.log = log
        self.limits = limits
        self.clock = clock
        self.logger = logger
        self.watch = ReadingWatch(limits)
        self.nextCheck = clock.uptime + limits.interval
    }

    /// Checks the lane when the interval since the last check has passed.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - paused: Partitions that are paused.
    /// - Throws: ``LogError``, `topicsChanged`.
    package func checkIfDue(_ lane: any TransactionalLane, paused: Set<TopicPartition>) async throws(LogError) {
        if let answer = self.letterbox.take() {
            // For partitions that were paused meanwhile, the answer means nothing.
            let observations = answer.observations.filter { !paused.contains($0.key) }
            try self.show(Answer(observations: observations, firstRecords: answer.firstRecords))
        }
        guard self.clock.uptime >= self.nextCheck else { return }
        self.nextCheck = self.clock.uptime + self.limits.interval
        let positions = await lane.positions().filter { !paused.contains($0.key) }
        // Where reading has moved on, nobody needs to be asked: a busy lane costs nothing.
        let resting = positions.filter { self.positions[$0.key] == $0.value }
        let moving = positions.filter { self.positions[$0.key] != $0.value }
            .mapValues { ReadingWatch.Observation(position: $0, lastStable: $0, end: $0) }
        self.positions = positions
        guard !resting.isEmpty else {
            try self.show(Answer(observations: moving, firstRecords: [:]))
            return
        }
        // One question at a time.
        guard self.letterbox.ask() else { return }
        Self.begin(self.log, resting, moving, self.letterbox)
    }

    private func show(_ answer: Answer) throws(LogError) {
        let findings = self.watch.show(answer.observations, at: self.clock.uptime)
        self.health?.set(stalled: self.watch.reported, notAdvancingSince: self.watch.notAdvancingSince)
        for finding in findings { try self.report(finding, answer) }
    }

    private static func begin(
        _ log: any EventLog,
        _ resting: [TopicPartition: Int64],
        _ moving: [TopicPartition: ReadingWatch.Observation],
        _ letterbox: Letterbox
    ) {
        Task { await Self.ask(log, resting, moving, letterbox) }
    }

    private static func ask(
        _ log: any EventLog,
        _ resting: [TopicPartition: Int64],
        _ moving: [TopicPartition: ReadingWatch.Observation],
        _ letterbox: Letterbox
    ) async {
        do {
            var answer = try await Self.answer(resting, log)
            answer.observations.merge(moving) { $1 }
            letterbox.put(answer)
        } catch {
            // Other parts report a log that does not answer.
            letterbox.put(nil)
        }
    }

    private static func answer(_ positions: [TopicPartition: Int64], _ log: any EventLog) async throws -> Answer {
        let partitions = positions.keys.sorted()
        let stable = try await log.offsets(partitions, at: .lastStable)
        let ends = try await log.offsets(partitions, at: .end)
        var answer = Answer(observations: [:], firstRecords: [:])
        for (partition, position) in positions {
            guard let lastStable = stable[partition], let end = ends[partition] else { continue }
            answer.observations[partition] = .init(position: position, lastStable: min(lastStable, end), end: end)
        }
        let blocked = answer.observations.filter { $0.value.lastStable < $0.value.end }.mapValues(\.lastStable)
        if !blocked.isEmpty, let log = log as? any OpenTransactionLog {
            answer.firstRecords = (try? await log.uncommittedRecords(at: blocked)) ?? [:]
        }
        return answer
    }

    private func report(_ finding: ReadingWatch.Finding, _ answer: Answer) throws(LogError) {
        switch finding {
        case .stalled(let partition, let observation, let time, let count):
            self.logger.error(
                "Consumer is stalled: the record at this offset cannot be read, or the broker returns no data",
                metadata: [
                    TelemetryKey.partition: "\(partition)", TelemetryKey.offset: "\(observation.position)",
                    TelemetryKey.end: "\(observation.lastStable)",
                    TelemetryKey.seconds: "\(time.components.seconds)", TelemetryKey.count: "\(count)",
                ]
            )
        case .blocked(let partition, let observation, let time, let count):
            let transaction = OpenTransaction(
                partition,
                observation,
                firstRecord: answer.firstRecords[partition],
                seenFor: time,
                now: self.clock.now
            )
            self.logger.warning(
                "An open transaction blocks readers: records after it cannot be read until it ends",
                metadata: transaction.metadata.merging([TelemetryKey.count: "\(count)"]) { $1 }
            )
        case .resumed(let partition, let time):
            self.logger.notice(
                "Consumer continues",
                metadata: [TelemetryKey.partition: "\(partition)", TelemetryKey.seconds: "\(time.components.seconds)"]
            )
        case .shrunk(let partition, let observation):
            throw LogError.topicShrank(partition, read: observation.position, end: observation.end)
        }
    }
}
