internal import IntentEvents
package import Logging
internal import Telemetry

/// Watches that a deployment's topics stay as they were made, as long as a process works on them (R6).
///
/// The client library notices by itself too, but only when it refreshes its metadata (after 5 min), and for a topic
/// without records not at all. One watch serves all lanes of a process.
package struct TopicWatch: Sendable {
    /// What is wrong with topics.
    enum Problem: Hashable {
        /// A topic has more partitions: users have moved away from their state.
        case grown(TopicPartition)
        /// Topics are missing, or have fewer partitions; brokers that are starting may say so.
        case missing([TopicName])
    }

    private let deployment: Deployment
    private let log: any EventLog
    private let health: [LaneHealth]
    private let missingTimeout: Duration
    private let interval: Duration
    private let clock = SystemRuntimeClock()
    private let logger: Logger

    /// Prepares to watch.
    ///
    /// - Parameters:
    ///   - deployment: The deployment.
    ///   - log: The log.
    ///   - health: The conditions of the process's lanes: none of them is ready while something is wrong.
    ///   - missingTimeout: How long topics may be missing before that counts.
    ///   - interval: The time between two checks.
    ///   - logger: Logs what is wrong.
    package init(
        _ deployment: Deployment,
        on log: any EventLog,
        health: [LaneHealth],
        missingTimeout: Duration,
        interval: Duration = .seconds(5),
        logger: Logger
    ) {
        self.deployment = deployment
        self.log = log
        self.health = health
        self.missingTimeout = missingTimeout
        self.interval = interval
        self.logger = logger
    }

    /// Watches until the task is cancelled.
    ///
    /// - Throws: ``LogError``, `topicsChanged`; what the lanes' conditions say stays.
    package func run() async throws(LogError) {
        let names = Topic.allCases.map { $0.name(prefix: self.deployment.prefix) }
        var missingSince: Duration?
        while !Task.isCancelled {
            // Other parts report a log that does not answer; it says nothing about the topics.
            if let counts = try? await self.log.partitionCounts(of: names) {
                let problem = Self.problem(counts, names, partitions: self.deployment.partitions)
                let error = problem.map(self.error)
                for lane in self.health { lane.set(topics: error?.message) }
                switch (problem, error) {
                case (.grown?, let error?): throw error
                case (.missing?, let error?):
                    let since = missingSince ?? self.clock.uptime
                    if missingSince == nil {
                        self.logger.error(
                            "Topics are missing",
                            metadata: [TelemetryKey.errorMessage: "\(error.message)"]
                        )
                    }
                    missingSince = since
                    if self.clock.uptime - since >= self.missingTimeout { throw error }
                default: missingSince = nil
                }
            }
            try? await self.clock.sleep(for: self.interval)
        }
    }

    static func problem(_ counts: [TopicName: Int], _ names: [TopicName], partitions: Int) -> Problem? {
        if let grown = names.first(where: { counts[$0] ?? 0 > partitions }) {
            return .grown(TopicPartition(grown, partitions))
        }
        let missing = names.filter { counts[$0] ?? 0 < partitions }
        return missing.isEmpty ? nil : .missing(missing)
    }

    private func error(_ problem: Problem) -> LogError {
        switch problem {
        case .grown(let added):
            .topicGrew(added, prefix: self.deployment.prefix, partitions: self.deployment.partitions)
        case .missing(let names):
            LogError(
                .topicsChanged,
                "topics of \(self.deployment.prefix) are missing, or have fewer than \(self.deployment.partitions) "
                    + "partitions: \(names.map(\.text).joined(separator: ", ")). Restore them, or create topics with another "
                    + "prefix."
            )
        }
    }
}

extension LogError {
    /// A topic has a partition that it was not made with.
    static func topicGrew(_ added: TopicPartition, prefix: String, partitions: Int) -> LogError {
        LogError(
            .topicsChanged,
            "there is now a partition \(added), but the topics of \(prefix) were created with \(partitions) each: users "
                + "would lose access to their state (R6). Create topics with another prefix and move to them."
        )
    }
}
