/// The compaction of one partition on its way: it is done in steps, and requests come in between.
///
/// Each step leaves a log that can be read, so that a broker that dies in between only begins anew.
struct Compaction {
    /// Which partition.
    let place: TopicPartition
    /// Its topic's id; one made anew may have the same name.
    let topicID: TopicID
    /// Where the records end that it is about.
    let end: Int64
    /// What is to be done with them.
    var plan: CompactionPlan
    /// What the next step does.
    var phase = Phase.noting
    /// Where the next step begins.
    var offset: Int64 = 0

    /// The two times that the log is read.
    enum Phase: Sendable {
        /// The plan takes note of the keys. Leads to `writing` at the end.
        case noting
        /// Batches are dropped or written anew. At the end the compaction is over.
        case writing
    }

    /// A compaction that begins.
    init(place: TopicPartition, topicID: TopicID, end: Int64, plan: CompactionPlan) {
        self.place = place
        self.topicID = topicID
        self.end = end
        self.plan = plan
    }
}
