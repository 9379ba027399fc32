internal import IntentEvents

/// The topics of a deployment, with their settings (contract, section 1).
package struct TopicPlan: Hashable, Sendable {
    /// The prefix of all topics' names.
    package var prefix: String
    /// The number of partitions of each.
    package var partitions: Int
    /// The number of brokers that hold a copy of each; nil for all, up to three.
    package var replicationFactor: Int?
    /// The number of copies that a write needs; nil for two, where there are as many.
    package var minInsyncReplicas: Int?
    /// The retention of journal, requests and the topics between the stages, in days: a turn can be run again as long
    /// as its event and its record exist (R42).
    package var retentionDays: Int

    /// The largest record of intentd's own topics (R47).
    package static let maximumRecordBytes = 4 * 1024 * 1024
    /// The largest record that a client may write: an event of 768 KiB, its headers and its envelope.
    package static let maximumRequestBytes = 1024 * 1024

    /// Numbers of partitions that need no warning.
    package static let usualPartitions = 4...64

    /// Makes a plan.
    package init(
        prefix: String = "intents",
        partitions: Int = 8,
        replicationFactor: Int? = nil,
        minInsyncReplicas: Int? = nil,
        retentionDays: Int = 30
    ) {
        self.prefix = prefix
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.minInsyncReplicas = minInsyncReplicas
        self.retentionDays = retentionDays
    }

    /// The number of copies of each topic on a log with so many brokers.
    package func copies(brokers: Int) -> Int { self.replicationFactor ?? min(3, brokers) }

    /// The number of copies that a write needs, on a log with so many brokers.
    package func neededCopies(brokers: Int) -> Int { self.minInsyncReplicas ?? min(2, self.copies(brokers: brokers)) }

    /// What whoever makes the topics this way should know, on a log with so many brokers: it is hard to change later.
    package func warnings(brokers: Int) -> [String] {
        let copies = self.copies(brokers: brokers)
        let needed = self.neededCopies(brokers: brokers)
        var warnings: [String] = []
        if brokers > 1, copies == 1 {
            warnings.append("the replication factor is 1 with \(brokers) brokers: losing one broker loses topics")
        } else if copies > 1, needed == 1 {
            warnings.append("min.insync.replicas is 1 of \(copies): losing one broker can lose acknowledged records")
        } else if copies > 1, needed == copies {
            warnings.append("min.insync.replicas is \(copies) of \(copies): processing stops while one broker is down")
        }
        if self.partitions > Self.usualPartitions.upperBound {
            warnings.append(
                "\(self.partitions) partitions: each costs the brokers CPU time and adds latency, so use no more than a "
                    + "stage will ever have lanes"
            )
        } else if self.partitions < Self.usualPartitions.lowerBound {
            warnings.append(
                "\(self.partitions) partitions: a stage can never have more lanes than that, and the number cannot be "
                    + "changed"
            )
        }
        return warnings
    }

    /// The topics with their settings, on a log with so many brokers.
    package func topics(brokers: Int = 1) -> [TopicDescription] {
        let copies = self.copies(brokers: brokers)
        let needed = self.neededCopies(brokers: brokers)
        return Topic.allCases.map { topic in
            var configuration: [String: String] = [:]
            // What is acknowledged survives the loss of a broker. Brokers' own default is one copy.
            if needed > 1 { configuration["min.insync.replicas"] = String(needed) }
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
                replicationFactor: copies,
                configuration: configuration
            )
        }
    }
}
