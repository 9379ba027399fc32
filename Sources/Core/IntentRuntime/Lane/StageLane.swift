internal import IntentEvents
package import Logging
import Synchronization
internal import Telemetry

/// One lane of a stage: reads its partitions, runs their turns, commits their results (R2 to R5, R13).
///
/// The path of one event: poll → decode → turn → outputs, journal, state → one transaction.
package final class StageLane: Sendable {
    private let log: any EventLog
    private let configuration: LaneConfiguration
    private let environment: StageEnvironment
    private let makeSpill: (@Sendable () async throws -> any StateSpill)?
    private let reading: ReadingOptions
    private let logger: Logger
    /// Its condition, for monitoring.
    package let health: LaneHealth
    private let state = Mutex(State())

    private struct State {
        /// How it is to leave; nil while it is to work.
        var departure: LaneDeparture?
        /// The lane of the session; nil between two sessions.
        var lane: (any TransactionalLane)?
        /// The task that works; nil while it is not run.
        var task: Task<Result<Void, LogError>, Never>?
    }

    /// Makes a lane that joins its group when it is run.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - configuration: Its group and topics.
    ///   - environment: What its turns share.
    ///   - makeSpill: Makes the file for evicted state; nil keeps all state in memory.
    ///   - reading: What it checks besides its records.
    ///   - logger: The logger for errors.
    package init(
        log: any EventLog,
        configuration: LaneConfiguration,
        environment: StageEnvironment,
        makeSpill: (@Sendable () async throws -> any StateSpill)? = nil,
        reading: ReadingOptions = ReadingOptions(),
        logger: Logger
    ) {
        self.log = log
        self.configuration = configuration
        self.environment = environment
        self.makeSpill = makeSpill
        self.reading = reading
        self.logger = logger
        self.health = LaneHealth(
            role: environment.stage.rawValue,
            lane: configuration.name.text,
            clock: environment.clock
        )
    }

    /// Finishes the current batch, then leaves.
    package func stop(_ departure: LaneDeparture = .remainInGroup) {
        self.state.withLock { state in
            state.departure = departure
            // Between two sessions nothing has to be finished, and a broker may not respond.
            if let lane = state.lane { lane.wake() } else { state.task?.cancel() }
        }
    }

    private var mustStop: Bool { self.state.withLock { $0.departure } != nil || Task.isCancelled }

    /// Works until stopped; after an error of the log it restarts from what the log holds.
    ///
    /// - Throws: ``LogError`` that only an operator can resolve (`LogError.Code.needsOperator`).
    package func run() async throws(LogError) {
        let task = Task { await Result(awaiting: self.work) }
        self.state.withLock { state in
            state.task = task
            if state.departure != nil { task.cancel() }
        }
        defer { self.state.withLock { $0.task = nil } }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        try result.get()
    }

    private func work() async throws(LogError) {
        var machine = LaneMachine()
        // Kept in memory only: after a crash it is found out again.
        var unwritable: Set<RecordPosition> = []
        var topics = TopicGuard(
            Deployment(
                id: self.environment.deployment,
                prefix: self.environment.prefix,
                partitions: self.environment.partitions
            ),
            missingTimeout: self.reading.topicMissingTimeout,
            clock: self.environment.clock
        )
        defer {
            machine.stop()
            self.health.enter(machine.phase)
        }
        while !self.mustStop {
            var hasCommitted = false
            do throws(LogError) {
                try await topics.confirm(on: self.log)
                machine.join()
                self.health.enter(machine.phase)
                let lane = try await self.log.makeLane(self.configuration)
                machine.joined()
                self.state.withLock { $0.lane = lane }
                do throws(LogError) {
                    // Not before the lane exists: only one lane of the name may open the previous one's file.
                    let spill = try await self.spill()
                    let session = self.session(spill: spill, unwritable: unwritable)
                    do throws(LogError) {
                        try await session.run(lane, &machine) { self.mustStop }
                    } catch {
                        hasCommitted = session.committedBatches > 0 || session.unwritable.count > unwritable.count
                        unwritable = session.unwritable
                        await session.abandon()
                        throw error
                    }
                    await session.leave(lane)
                } catch {
                    await self.close(lane)
                    throw error
                }
                await self.close(lane)
            } catch {
                if self.mustStop {
                    // A task that was cancelled only waited to join.
                    self.logger.log(
                        level: Task.isCancelled ? .info : .warning,
                        "Stopped after an error",
                        metadata: [TelemetryKey.errorMessage: "\(error)"]
                    )
                    return
                }
                try await topics.check(error, on: self.log)
                let reason = await self.diagnosis(of: error)
                let recovery = machine.fail(
                    reason,
                    hasCommitted: hasCommitted,
                    at: self.environment.clock.uptime
                )
                self.health.enter(machine.phase)
                if recovery.leavesGroup, await self.leaveGroup() { machine.leftGroup() }
                self.logger.log(
                    level: recovery.logLevel,
                    "Restarting lane",
                    metadata: [
                        TelemetryKey.errorMessage: "\(reason)", TelemetryKey.failures: "\(recovery.failures)",
                    ]
                )
                try? await self.environment.clock.sleep(for: recovery.pause)
            }
        }
    }

    /// Leaves the group, which otherwise keeps this lane's partitions for it until its session ends; returns whether it
    /// did.
    ///
    /// Only a member can leave for good, so it joins first, without the producer that the broker does not let begin.
    private func leaveGroup() async -> Bool {
        var leaving = self.configuration
        leaving.delivery = .consumeOnly
        do {
            let lane = try await self.log.makeLane(leaving)
            await lane.close(.leaveGroup)
            return true
        } catch {
            self.logger.info("Could not leave the group", metadata: [TelemetryKey.errorMessage: "\(error)"])
            return false
        }
    }

    /// The error, with the members of the group that it is about.
    private func diagnosis(of error: LogError) async -> LogError {
        guard error.code == .groupShared else { return error }
        var error = error
        let members = await self.members()
        let topics = Set(self.configuration.topics)
        // An operator may have given lanes other client ids: what members read says more.
        let others = members.filter { !$0.topics.isEmpty && Set($0.topics) != topics }
        let unknown = others.isEmpty ? members.filter { !$0.isLane } : others
        let words = unknown.prefix(5)
            .map { member in
                let topics =
                    member.topics.isEmpty
                    ? "topics unknown" : "reads \(member.topics.map(\.text).joined(separator: ", "))"
                return "member \(member.id), client id \(member.name), at \(member.host), \(topics)"
            }
        error.message +=
            words.isEmpty
            ? "; another program is, or was, a member of this group, with other topics or another partition assignor. "
                + "`kafka-consumer-groups.sh --describe --members --group \(self.configuration.group)` lists its members"
            : "; other programs are members of this group: \(words.joined(separator: "; ")). Stop them, or give them a group "
                + "of their own: intentd's groups are for its workers only"
        return error
    }

    /// The members of the group, once it has shared its partitions out: until then it does not say what they read.
    private func members() async -> [GroupMember] {
        var members: [GroupMember] = []
        for _ in 0..<5 {
            members = (try? await (self.log as? any MembershipLog)?.members(of: self.configuration.group)) ?? []
            guard !members.contains(where: { !$0.topics.isEmpty }) else { break }
            try? await self.environment.clock.sleep(for: .milliseconds(200))
        }
        return members
    }

    /// Closes a lane; the next one has its name, unless the lane leaves for good.
    private func close(_ lane: any TransactionalLane) async {
        let departure = self.state.withLock { state in
            state.lane = nil
            return state.departure
        }
        await lane.close(departure ?? .remainInGroup)
    }

    /// A session from joining the group to the next error.
    private func session(spill: (any StateSpill)?, unwritable: Set<RecordPosition>) -> LaneSession {
        LaneSession(
            log: self.log,
            configuration: self.configuration,
            environment: self.environment,
            spill: spill,
            unwritable: unwritable,
            reading: self.reading,
            health: self.health,
            logger: self.logger
        )
    }

    /// A new file for evicted state.
    private func spill() async throws(LogError) -> (any StateSpill)? {
        guard let makeSpill = self.makeSpill else { return nil }
        do {
            return try await makeSpill()
        } catch {
            throw LogError(.other, "Cannot open the spill file: \(error)", isRetriable: true)
        }
    }
}
