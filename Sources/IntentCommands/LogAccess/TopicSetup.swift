import IntentEvents
import IntentRuntime

/// Makes a deployment's topics where they are missing, never beside others with another number of partitions.
enum TopicSetup {
    /// Makes the topics.
    ///
    /// - Parameters:
    ///   - configuration: How they are made.
    ///   - log: Where.
    /// - Returns: The deployment and the names of the topics that were made.
    /// - Throws: ``CommandFailure`` when topics are there with another number of partitions than was asked for;
    ///   `DeploymentError`; `LogError`.
    static func ensure(
        _ configuration: Configuration,
        on log: any EventLog
    ) async throws -> (deployment: Deployment, created: Set<TopicName>) {
        var plan = configuration.topicPlan
        let existing = try await log.topics().filter { Topic(name: $0.name, prefix: plan.prefix) != nil }
        if let other = existing.first(where: { $0.partitions != plan.partitions }),
            let origin = configuration.entry(.topicsPartitions)?.origin
        {
            // The configuration's number is for topics yet to be made; only who asks for it now is told.
            if case .commandLine = origin {
                throw CommandFailure(
                    .configuration,
                    "\(origin): \(plan.partitions) partitions were asked for, but \(other.name) has "
                        + "\(other.partitions): the number is part of the state (R6). Use another --prefix."
                )
            }
            plan.partitions = other.partitions
        }
        return try await Deployment.create(plan, on: log)
    }
}
