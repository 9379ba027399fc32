package import IntentEvents

/// The configuration of a lane: its group, its topics, its name.
package struct LaneConfiguration: Sendable {
    /// How outputs and offsets are written.
    package enum Delivery: String, Sendable {
        /// Outputs and offsets in one transaction (R2).
        case exactlyOnce
        /// Outputs first, then the offsets: a crash between repeats the batch. A setting, never the default.
        case atLeastOnce
        /// No outputs at all: offsets are committed for display only (the recorder keeps its own).
        case consumeOnly
    }

    /// The consumer group, for example `intents.resolve`.
    package var group: GroupName
    /// The topics that it reads; all with the same number of partitions.
    package var topics: [TopicName]
    /// The lane's name, stable over restarts: the static member's name and the transactional id derive from it.
    package var name: LaneName
    package var delivery: Delivery = .exactlyOnce
    /// Topics whose batches are compressed, unless the operator says otherwise.
    package var compressedTopics: Set<TopicName> = []
    /// The maximum size of one poll's records in bytes; the last record may exceed it.
    ///
    /// It limits a batch's memory.
    package var pollBytes: Int = .max
    /// How long the group waits for a silent member, in milliseconds.
    package var sessionTimeout: Int = 12_000
    /// How long a transaction may stay open, in milliseconds; below the session time-out.
    package var transactionTimeout: Int = 10_000

    /// The transactional id of a lane: a new producer with that id fences the previous one.
    package static func transactionalID(group: GroupName, name: LaneName) -> String { "\(group.text)/\(name.text)" }

    /// Describes a lane; everything not named here has the defaults above.
    package init(group: GroupName, topics: [TopicName], name: LaneName) {
        self.group = group
        self.topics = topics
        self.name = name
    }
}
