/// The compaction of one partition in progress: it is done in steps, and requests are handled in between.
///
/// Each step leaves a readable log, so a broker that crashes in between simply starts again.
struct Compaction {
    let partition: TopicPartition
    /// Its topic's id; a recreated topic may have the same name.
    let topicID: TopicID
    /// The end of the records to be compacted.
    let end: Int64
    /// What is to be done with them.
    var plan: CompactionPlan
    /// The phase of the next step.
    var phase = Phase.noting
    /// The offset at which the next step begins.
    var offset: Int64 = 0

    /// The two passes over the log.
    enum Phase: Sendable {
        /// The plan records the keys.
        ///
        /// Leads to `writing` at the end.
        case noting
        /// Batches are dropped or rewritten.
        ///
        /// At the end the compaction is over.
        case writing
    }

    init(partition: TopicPartition, topicID: TopicID, end: Int64, plan: CompactionPlan) {
        self.partition = partition
        self.topicID = topicID
        self.end = end
        self.plan = plan
    }
}
