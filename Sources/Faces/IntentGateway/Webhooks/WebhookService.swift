package import CoreMetrics
package import IntentEvents
package import IntentOperations
package import IntentRuntime
package import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import Telemetry

/// Posts the events of all users to the webhook, each at least once, and those of a user in order (R88).
///
/// All gateways share the partitions of a group of their own. Its offsets say what is settled: after a restart, and at
/// another gateway, posting continues there.
package final class WebhookService: Service {
    package struct Configuration: Sendable {
        /// The most records of one poll.
        var maxRecords = 500
        /// The longest that a poll waits.
        var pollTimeout = Duration.seconds(1)
        /// How long settled events wait for others before their offsets are committed together.
        var commitDelay = Duration.milliseconds(100)
        /// How long posts in progress may take when the gateway shuts down; without their result they are repeated.
        var drainTime = Duration.seconds(3)
        /// How long topics may be missing before that counts.
        var topicMissingTimeout = Duration.seconds(30)
        var clock: any RuntimeClock = SystemRuntimeClock()

        package init() {}
    }

    /// The topics with what is posted.
    static let topics = EventPosition.topics

    /// What other tasks ask for.
    private struct State {
        private static let joining = "is joining its group"

        /// How far a session has come with its partitions.
        struct Reached {
            var settled: [TopicPartition: Int64]
            var oldest: Timestamp?
        }

        /// Why it posts nothing; nil when it does.
        private(set) var problem: String? = Self.joining
        /// The sessions that have failed without progress in between.
        private(set) var failures = 0
        /// nil while no session has partitions.
        private(set) var reached: Reached?

        /// After a failure the problem remains until there is progress: a session that fails at each commit is not
        /// ready in between.
        mutating func reach(_ reached: Reached?) {
            self.reached = reached
            if self.failures == 0 { self.problem = reached == nil ? Self.joining : nil }
        }

        mutating func progress() { self.failures = 0 }

        mutating func fail(_ error: any Error) -> Int {
            self.failures += 1
            self.problem = "is restarting: \(error)"
            self.reached = nil
            return self.failures
        }
    }

    let webhook: Webhook
    let deployment: Deployment
    let configuration: Configuration
    let logger: Logger
    private let log: any EventLog
    private let name: LaneName
    private let metrics: (any MetricsFactory)?
    private let state = Mutex(State())

    /// Makes a service; nothing is read until it runs.
    ///
    /// - Parameters:
    ///   - webhook: Where events are posted.
    ///   - log: The log.
    ///   - deployment: The deployment whose events are posted.
    ///   - name: The gateway's name in the group: unique while it runs, and the same after a restart.
    ///   - configuration: Its settings.
    ///   - metrics: The metrics backend; nil for none.
    ///   - logger: Receives what goes wrong.
    package init(
        _ webhook: Webhook,
        log: any EventLog,
        deployment: Deployment,
        name: LaneName,
        configuration: Configuration = Configuration(),
        metrics: (any MetricsFactory)?,
        logger: Logger
    ) {
        self.webhook = webhook
        self.log = log
        self.deployment = deployment
        self.name = name
        self.configuration = configuration
        self.metrics = metrics
        self.logger = logger
    }

    /// Why it posts nothing; nil when it does.
    package var problem: String? { self.state.withLock(\.problem) }

    /// Posts until its task is cancelled or its service group shuts down.
    /// - Throws: `LogError` that only an operator can resolve, such as `topicsChanged`.
    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.follow() }
                if let metrics = self.metrics { group.addTask { await self.measure(metrics) } }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private func follow() async throws {
        var topics = TopicGuard(
            self.deployment,
            missingTimeout: self.configuration.topicMissingTimeout,
            clock: self.configuration.clock
        )
        var firstStarts: [TopicPartition: Int64]?
        while !Task.isCancelled {
            do {
                try await topics.confirm(on: self.log)
                let partitions = Self.topics.flatMap(self.deployment.topicPartitions)
                let starts: [TopicPartition: Int64]
                if let firstStarts {
                    starts = firstStarts
                } else {
                    // Events that are written while the group forms count as new.
                    starts = try await self.log.offsets(partitions, at: .lastStable)
                    firstStarts = starts
                }
                try await self.withLane { lane in
                    var session = WebhookSession(self, log: self.log, lane: lane, firstStarts: starts)
                    try await session.run()
                }
            } catch {
                if let error = error as? LogError { try await topics.check(error, on: self.log) }
                if Task.isCancelled { return }
                let failures = self.state.withLock { $0.fail(error) }
                let delay = Duration.milliseconds(min(5_000, 100 << min(failures, 6)))
                self.logger.warning(
                    "Posting events to the webhook was interrupted; restarting",
                    metadata: [
                        TelemetryKey.errorMessage: "\(error)", TelemetryKey.retryDelay: "\(delay)",
                        TelemetryKey.failures: "\(failures)",
                    ]
                )
                try? await self.configuration.clock.sleep(for: delay)
            }
        }
    }

    private func withLane(_ body: (any TransactionalLane) async throws -> Void) async throws {
        var lane = LaneConfiguration(
            group: .webhooks(prefix: self.deployment.prefix),
            topics: Self.topics.map { $0.name(prefix: self.deployment.prefix) },
            name: self.name
        )
        // A dead letter is written before the offset after its event is committed.
        lane.delivery = .atLeastOnce
        lane.pollBytes = 8 << 20
        let opened = try await self.log.makeLane(lane)
        do {
            try await withTaskCancellationHandler {
                try await body(opened)
            } onCancel: {
                opened.wake()
            }
        } catch {
            await opened.close(Task.isCancelled ? .leaveGroup : .remainInGroup)
            throw error
        }
        // Others continue at once: a repetition costs less than a delay.
        await opened.close(.leaveGroup)
    }

    // MARK: Figures

    /// Notes what a session has reached; nil when it has no assignment.
    func note(_ queue: WebhookQueue?) {
        let reached = queue.map { State.Reached(settled: $0.settled, oldest: $0.oldest) }
        self.state.withLock { $0.reach(reached) }
    }

    /// Notes that a session has committed, or has nothing to do.
    func noteProgress() { self.state.withLock { $0.progress() } }

    /// Counts a post.
    func count(_ result: String, in duration: Duration) {
        self.metrics?.counter(Metrics.catalog.webhookPosts, [result]).increment(by: 1)
        self.metrics?.timer(Metrics.catalog.webhookDuration).recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }

    func countDeadLetter() {
        self.metrics?.counter(Metrics.catalog.deadLetters, [DeadLetter.webhooks, DeadLetterHeaders.webhookFailed])
            .increment(by: 1)
    }

    private func measure(_ metrics: any MetricsFactory) async {
        repeat { await self.publish(to: metrics) } while (try? await Task.sleep(for: .seconds(5))) != nil
    }

    /// Sets the figures, and removes those that are not known: a 0 would say that nothing waits.
    func publish(to metrics: any MetricsFactory) async {
        let (problem, reached) = self.state.withLock { ($0.problem, $0.reached) }
        metrics.gauge(Metrics.catalog.webhookReady).set(Int64(problem == nil ? 1 : 0))
        let (oldest, lag) = (
            metrics.gauge(Metrics.catalog.webhookOldest), metrics.gauge(Metrics.catalog.webhookLag)
        )
        if let reached {
            let age = reached.oldest.map { max(0, self.configuration.clock.now - $0) } ?? 0
            oldest.set(Double(age) / 1_000)
        } else {
            metrics.destroyMeter(oldest)
        }
        if let settled = reached?.settled,
            let ends = try? await self.log.offsets(Array(settled.keys), at: .lastStable)
        {
            lag.set(ends.reduce(Int64(0)) { $0 + max(0, $1.value - (settled[$1.key] ?? $1.value)) })
        } else {
            metrics.destroyMeter(lag)
        }
    }
}
