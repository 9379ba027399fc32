internal import IntentEvents

/// The topics of a deployment, with their settings (contract, section 1).
package struct TopicPlan: Hashable, Sendable {
    /// The prefix of all topics' names.
    package var prefix: String
    /// The number of partitions of each.
    package var partitions: Int
    /// The number of brokers that hold a copy of each.
    package var replicationFactor: Int
    /// The retention of journal, requests and the topics between the stages, in days: a turn can be run again as long
    /// as its event and its record exist (R42).
    package var retentionDays: Int

    /// The largest record of intentd's own topics (R47).
    package static let maximumRecordBytes = 4 * 1024 * 1024
    /// The largest record that a client may write: an event of 768 KiB, its headers and its envelope.
    package static let maximumRequestBytes = 1024 * 1024

    /// Makes a plan.
    package init(prefix: String = "intents", partitions: Int = 8, replicationFactor: Int = 1, retentionDays: Int = 30) {
        self.prefix = prefix
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.retentionDays = retentionDays
    }

    /// The topics with their settings.
    package var topics: [TopicDescription] {
        Topic.allCases.map { topic in
            var configuration: [String: String] = [:]
            configuration["max.message.bytes"] = String(
                topic == .requests ? Self.maximumRequestBytes : Self.maximumRecordBytes
            )
            // The limit applies to a batch as it is stored: compressed, clients could send events that are many times
            // as large in the stages. A broker that stores batches uncompressed checks their real size.
            if topic == .requests { configuration["compression.type"] = "uncompressed" }
            switch topic {
            case .state:
                configuration["cleanup.policy"] = "compact"
            case .requests, .resolved, .confirmed, .signals, .journal:
                configuration["cleanup.policy"] = "delete"
                configuration["retention.ms"] = String(self.retentionDays * 86_400_000)
            case .responses, .userActivities, .deadLetters:
                configuration["cleanup.policy"] = "delete"
            }
            return TopicDescription(
                name: topic.name(prefix: self.prefix),
                partitions: self.partitions,
                replicationFactor: self.replicationFactor,
                configuration: configuration
            )
        }
    }
}
