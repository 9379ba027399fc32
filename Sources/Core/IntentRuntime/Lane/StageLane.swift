internal import IntentEvents
internal import IntentKit
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
    /// How it is to leave; nil while it is to work.
    private let departure = Mutex<LaneDeparture?>(nil)
    private let lane = Mutex<(any TransactionalLane)?>(nil)

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
    package func stop(_ departure: LaneDeparture = .comesBack) {
        self.departure.withLock { $0 = departure }
        self.lane.withLock { $0 }?.wake()
    }

    private static let repeatedLineInterval = Duration.seconds(60)

    private var mustStop: Bool { self.departure.withLock { $0 } != nil || Task.isCancelled }

    /// Works until stopped; after an error of the log it restarts from what the log holds.
    ///
    /// - Throws: ``LogError`` that only an operator can resolve (`LogError.Code.needsOperator`).
    package func run() async throws(LogError) {
        var failures = 0
        // An earlier process may have been a member under this name.
        var isMember = true
        var lastLine: Duration?
        // Kept in memory only: after a crash it is found out again.
        var unwritable: Set<RecordPosition> = []
        var topics = TopicGuard(
            Deployment(
                id: self.environment.deployment,
                prefix: self.environment.prefix,
                partitions: self.environment.partitions
            ),
            goneAfter: self.reading.topicGoneAfter,
            clock: self.environment.clock
        )
        defer { self.health.enter(.left) }
        while !self.mustStop {
            var committedBatches = 0
            do throws(LogError) {
                try await topics.confirm(on: self.log)
                self.health.enter(.joining)
                let lane = try await self.log.makeLane(self.configuration)
                isMember = true
                self.lane.withLock { $0 = lane }
                do throws(LogError) {
                    // Not before the lane exists: only one lane of the name may open the previous one's file.
                    let spill = try await self.spill()
                    try await self.work(lane, spill: spill, unwritable: unwritable) { session in
                        committedBatches = session.committedBatches + session.unwritable.count - unwritable.count
                        unwritable = session.unwritable
                    }
                } catch {
                    await self.close(lane)
                    throw error
                }
                await self.close(lane)
            } catch {
                try await topics.check(error, on: self.log)
                let reason = await self.diagnosis(of: error)
                failures = committedBatches > 0 ? 1 : failures + 1
                self.health.enter(.failing("\(reason)"))
                if error.code == .transactionHeld, isMember { isMember = await !self.leaveGroup() }
                let level = self.level(of: reason, &lastLine)
                self.logger.log(
                    level: level,
                    "Restarting lane",
                    metadata: [TelemetryKey.errorMessage: "\(reason)", TelemetryKey.failures: "\(failures)"]
                )
                let delay = min(5_000, 100 << min(failures - 1, 6))
                try? await self.environment.clock.sleep(for: .milliseconds(delay))
            }
        }
    }

    /// The level at which an error is logged that ends a session.
    ///
    /// A transaction that the broker holds, and a member that shares the group, last until someone acts: they are one
    /// line a minute.
    private func level(of error: LogError, _ lastLine: inout Duration?) -> Logger.Level {
        switch error.code {
        case .fenced: return .info
        case .transactionHeld, .groupShared:
            let now = self.environment.clock.uptime
            if let lastLine, now - lastLine < Self.repeatedLineInterval { return .debug }
            lastLine = now
            return error.code == .groupShared ? .error : .warning
        default: return .warning
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
            await lane.close(.forGood)
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
        let strangers = others.isEmpty ? members.filter { !$0.isLane } : others
        let words = strangers.prefix(5)
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
        self.lane.withLock { $0 = nil }
        await lane.close(self.departure.withLock { $0 } ?? .comesBack)
    }

    /// Works with a lane until stopped, and leaves in an orderly way.
    private func work(
        _ lane: any TransactionalLane,
        spill: (any StateSpill)?,
        unwritable: Set<RecordPosition>,
        onFailure: (LaneSession) -> Void
    ) async throws(LogError) {
        let session = LaneSession(
            log: self.log,
            configuration: self.configuration,
            environment: self.environment,
            spill: spill,
            unwritable: unwritable,
            reading: self.reading,
            health: self.health,
            logger: self.logger
        )
        do throws(LogError) {
            try await session.run(lane) { self.mustStop }
        } catch {
            onFailure(session)
            await session.abandon()
            throw error
        }
        await session.leave(lane)
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
