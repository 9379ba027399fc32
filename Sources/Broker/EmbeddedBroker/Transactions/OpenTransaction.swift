/// What a transaction has touched so far.
struct OpenTransaction: Sendable, Equatable {
    /// The time at which it is aborted, on the monotonic clock.
    var deadline: Int64
    /// The partitions that get a marker.
    var partitions: Set<TopicPartition> = []
    /// The offsets that become visible with the commit, by group.
    var offsets: [Name: [TopicPartition: CommittedOffset]] = [:]
    /// The producer whose id and epoch the markers carry; set when the transaction ends.
    var writer = Writer(producerID: -1, epoch: -1)

    /// The approximate number of bytes that the offsets take.
    var offsetBytes: Int { self.offsets.values.reduce(0) { $1.values.reduce($0) { $0 + $1.byteCount } } }

    /// The producer named in the markers.
    struct Writer: Sendable, Equatable {
        var producerID: Int64
        /// The epoch; after fencing, the new one.
        var epoch: Int16
    }
}
