package import IntentEvents
package import IntentRuntime
internal import Logging

/// Creates a deployment's missing topics, but never beside others with another number of partitions.
package enum TopicSetup {
    /// Checks how topics are about to be created, and warns of what is hard to change later.
    private static func check(_ plan: TopicPlan, _ configuration: Configuration, on log: any EventLog) async throws {
        let brokers = try await log.brokerCount()
        let copies = plan.copies(brokers: brokers)
        let needed = plan.neededCopies(brokers: brokers)
        guard needed <= copies else {
            throw OperationError(
                .configuration,
                "a write needs \(needed) copies (topics.minInsyncReplicas), but each topic would have \(copies): "
                    + "all writes would fail"
            )
        }
        let logger = configuration.logger("intentd.topics")
        for warning in plan.warnings(brokers: brokers) { logger.warning("\(warning)") }
    }

    /// Creates the topics.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the topics.
    ///   - log: The log.
    /// - Returns: The deployment and the names of the topics that were created.
    /// - Throws: ``OperationError`` when topics exist with another number of partitions than was requested;
    ///   `DeploymentError`; `LogError`.
    package static func ensure(
        _ configuration: Configuration,
        on log: any EventLog
    ) async throws -> (deployment: Deployment, created: Set<TopicName>) {
        var plan = configuration.topicPlan
        let existing = try await log.topics().filter { Topic(name: $0.name, prefix: plan.prefix) != nil }
        if let other = existing.first(where: { $0.partitions != plan.partitions }),
            let origin = configuration.entry(.topicsPartitions)?.origin
        {
            // The configuration's number is for topics that are created later; only a number on the command line is
            // checked.
            if case .commandLine = origin {
                throw OperationError(
                    .configuration,
                    "\(origin): \(plan.partitions) partitions were requested, but \(other.name) has "
                        + "\(other.partitions): the number of partitions cannot be changed (R6). Use another --prefix."
                )
            }
            plan.partitions = other.partitions
        }
        if existing.count < Topic.allCases.count { try await Self.check(plan, configuration, on: log) }
        return try await Deployment.create(plan, on: log)
    }
}
