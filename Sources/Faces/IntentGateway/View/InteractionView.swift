internal import IntentEvents
package import IntentRuntime
package import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import Telemetry

/// Follows `requests`, `responses` and `user-activities` without a group, and keeps what users can ask for in a file of
/// its own (R85).
///
/// Each replica has one. After a restart it continues at the offsets in its file; where the file is missing, of other
/// topics, or behind what the topics still hold, it reads from their beginning. Until it has read what the topics held
/// when it began, it answers nothing.
package final class InteractionView: Service {
    package struct Configuration: Sendable {
        /// The file; its directory must exist.
        package var path: String
        /// How long the same request counts as a client's retry (R8c), as the stages have it.
        package var dedupeWindow: Duration = .seconds(3_600)
        /// The most records of one transaction.
        package var batchRecords = 4_000
        /// How often rows are removed whose events the topics no longer hold.
        package var pruneInterval: Duration = .seconds(600)
        /// How long topics may be missing before that counts.
        package var topicMissingTimeout: Duration = .seconds(30)
        package var clock: any RuntimeClock = SystemRuntimeClock()
        /// Measures how long is waited.
        package var timer: any Clock<Duration> = ContinuousClock()

        package init(path: String) { self.path = path }
    }

    let log: any EventLog
    let deployment: Deployment
    let configuration: Configuration
    let progress: ViewProgress
    /// Passes the events on to the streams of their users.
    let hub: EventHub
    private let logger: Logger
    private let database = Mutex<ViewDatabase?>(nil)
    private let catchUps = Mutex<[Int: Task<[TopicPartition: Int64], any Error>]>([:])

    /// Makes a view; nothing is read until it runs.
    package init(log: any EventLog, deployment: Deployment, configuration: Configuration, logger: Logger) {
        self.log = log
        self.deployment = deployment
        self.configuration = configuration
        self.progress = ViewProgress(timer: configuration.timer)
        self.hub = EventHub(log: log, deployment: deployment, timer: configuration.timer, logger: logger)
        self.logger = logger
    }

    /// Whether everything was read that the topics held when reading began.
    package var isReady: Bool { self.progress.isReady }

    /// Returns when the view is ready, or when the task is cancelled.
    package func untilReady() async {
        // It takes a moment once in the life of a process: nobody has to be woken.
        while !self.isReady, !Task.isCancelled { try? await self.configuration.timer.sleep(for: .milliseconds(20)) }
    }

    /// Follows the topics until its task is cancelled or its service group shuts down.
    /// - Throws: `LogError` that only an operator can resolve, such as `topicsChanged`; `StoreError` when its file
    ///   cannot be made.
    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            let database = try await ViewDatabase.open(
                self.configuration.path,
                self.deployment,
                dedupeWindow: self.configuration.dedupeWindow
            )
            self.database.withLock { $0 = database }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.follow(database) }
                group.addTask { await self.hub.run() }
                defer { group.cancelAll() }
                try await group.next()
            }
            self.hub.end()
            self.database.withLock { $0 = nil }
            await database.close()
        }
    }

    private func follow(_ database: ViewDatabase) async throws {
        var topics = TopicGuard(
            self.deployment,
            missingTimeout: self.configuration.topicMissingTimeout,
            clock: self.configuration.clock
        )
        var failures = 0
        while !Task.isCancelled {
            do {
                try await topics.confirm(on: self.log)
                try await self.read(into: database) { failures = 0 }
            } catch {
                if let error = error as? LogError { try await topics.check(error, on: self.log) }
                if Task.isCancelled { return }
                failures += 1
                let delay = Duration.milliseconds(min(5_000, 100 << min(failures, 6)))
                self.logger.warning(
                    "Reading for the gateway's view was interrupted; restarting",
                    metadata: [
                        TelemetryKey.errorMessage: "\(error)", TelemetryKey.retryDelay: "\(delay)",
                        TelemetryKey.failures: "\(failures)",
                    ]
                )
                try? await self.configuration.clock.sleep(for: delay)
            }
        }
    }

    private func read(into database: ViewDatabase, onProgress: () -> Void) async throws {
        let partitions = ViewedEvent.topics.flatMap { self.deployment.topicPartitions(of: $0) }
        let starts = try await self.starts(partitions, database)
        let targets = try await self.log.offsets(partitions, at: .lastStable)
        let began = self.configuration.clock.uptime
        self.publish([], starts, changed: [])
        self.setReady(targets, since: began)
        let reader = try await self.log.makeReader(from: starts)
        var prunedAt = began
        do {
            while !Task.isCancelled {
                let batch = try await reader.next(maxRecords: self.configuration.batchRecords, timeout: .seconds(1))
                onProgress()
                let known = self.progress.positions
                let moved = batch.positions.filter { known[$0.key] != $0.value }
                if !moved.isEmpty {
                    let events = batch.records.compactMap { ViewedEvent($0, of: self.deployment) }
                    let changed = try await database.add(events, moved)
                    self.publish(events, moved, changed: changed)
                    self.setReady(targets, since: began)
                }
                guard self.isReady, self.configuration.clock.uptime - prunedAt >= self.configuration.pruneInterval
                else { continue }
                prunedAt = self.configuration.clock.uptime
                try await database.prune(self.log.offsets(partitions, at: .earliest))
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }

    private func publish(
        _ events: [ViewedEvent],
        _ positions: [TopicPartition: Int64],
        changed: Set<InteractionName>
    ) {
        self.hub.publish(events, positions)
        self.progress.advance(to: positions, changed: changed)
    }

    private func setReady(_ targets: [TopicPartition: Int64], since began: Duration) {
        guard !self.isReady else { return }
        let positions = self.progress.positions
        guard targets.allSatisfy({ positions[$0.key] ?? 0 >= $0.value }) else { return }
        self.progress.setReady()
        self.logger.notice(
            "The gateway's view has read its topics",
            metadata: [TelemetryKey.seconds: "\((self.configuration.clock.uptime - began) / .seconds(1))"]
        )
    }

    /// The offsets to begin with: those of the file, or the topics' beginning.
    private func starts(
        _ partitions: [TopicPartition],
        _ database: ViewDatabase
    ) async throws -> [TopicPartition: Int64] {
        let extents = try await TopicExtents.ask(self.log, partitions)
        var stored = try await database.begin()
        let fits = stored.allSatisfy { partition, next in
            next >= extents.earliest[partition] ?? 0 && next <= extents.ends[partition] ?? 0
        }
        if !fits {
            self.logger.notice("The gateway's view is filled again: its file does not continue with the topics")
            try await database.clear()
            stored = [:]
        }
        return Dictionary(
            uniqueKeysWithValues: partitions.map { ($0, stored[$0] ?? extents.earliest[$0] ?? 0) }
        )
    }

    // MARK: What others ask

    /// The file.
    /// - Throws: ``GatewayError``, `unavailable`, until everything was read that the topics held at the beginning.
    func readyDatabase() throws(GatewayError) -> ViewDatabase {
        guard self.isReady, let database = self.database.withLock(\.self) else {
            throw GatewayError(.unavailable, "The gateway is still reading its topics; try again soon.", retryAfter: 2)
        }
        return database
    }

    /// Reads with the file.
    /// - Throws: ``GatewayError``, `unavailable`.
    func read<Value: Sendable>(
        _ body: (ViewDatabase) async throws -> Value
    ) async throws(GatewayError) -> Value {
        let database = try self.readyDatabase()
        do {
            return try await body(database)
        } catch let error as GatewayError {
            throw error
        } catch {
            self.logger.error(
                "The gateway's view cannot be read",
                metadata: [TelemetryKey.errorMessage: "\(error)"]
            )
            throw GatewayError(.unavailable, "The gateway's view cannot be read; try again soon.", retryAfter: 2)
        }
    }

    /// How many records the topics hold that were not read yet, those of transactions' ends included; nil when the brokers
    /// do not answer.
    func lag() async -> Int64? {
        let partitions = ViewedEvent.topics.flatMap { self.deployment.topicPartitions(of: $0) }
        guard let ends = try? await self.log.offsets(partitions, at: .lastStable) else { return nil }
        let positions = self.progress.positions
        return ends.reduce(0) { $0 + max(0, $1.value - (positions[$1.key] ?? 0)) }
    }

    /// Waits until everything of a user's partition was read that the topics hold now; false when that takes too long.
    ///
    /// Calls of the same few milliseconds share one query.
    func catchUp(_ partition: Int, within limit: Duration) async -> Bool {
        let task = self.catchUps.withLock { tasks in
            if let task = tasks[partition] { return task }
            let task = Task {
                try await self.configuration.timer.sleep(for: .milliseconds(2))
                self.catchUps.withLock { $0[partition] = nil }
                return try await self.log.offsets(
                    ViewedEvent.topics.map { self.deployment.topicPartition($0, partition) },
                    at: .lastStable
                )
            }
            tasks[partition] = task
            return task
        }
        guard let ends = try? await task.value else { return false }
        return await self.progress.reach(ends, within: limit)
    }
}
