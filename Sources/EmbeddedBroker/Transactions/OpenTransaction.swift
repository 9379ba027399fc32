/// What a transaction has touched so far.
struct OpenTransaction: Sendable, Equatable {
    /// When it is aborted, on the monotonic clock.
    var deadline: Int64
    /// The partitions that get a marker.
    var partitions: Set<TopicPartition> = []
    /// The offsets that become visible with the commit, by group.
    var offsets: [String: [TopicPartition: CommittedOffset]] = [:]
    /// Whose id and epoch the markers carry; set when the transaction ends.
    var writer = Writer(producerID: -1, epoch: -1)

    /// The producer named in the markers.
    struct Writer: Sendable, Equatable {
        /// The producer id.
        var producerID: Int64
        /// The epoch; behind a fence it is the new one.
        var epoch: Int16
    }
}
