/// One partition by name.
struct TopicPartition: Sendable, Hashable {
    var topic: Name
    /// The partition's number, from 0.
    var partition: Int32
}
