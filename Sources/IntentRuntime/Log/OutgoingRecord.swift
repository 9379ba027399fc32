/// A record to be written to a log.
///
/// The partition is always named: who writes knows the home partition (R1), and no partitioner of a client
/// library is trusted to agree with it.
package struct OutgoingRecord: Hashable, Sendable {
    /// Where it goes.
    package var topicPartition: TopicPartition
    /// Its timestamp in milliseconds since 1970; nil lets the log set the present time.
    package var timestamp: Int64?
    /// Its key, if it has one.
    package var key: [UInt8]?
    /// Its value; nil for a tombstone.
    package var value: [UInt8]?
    /// Its headers, in order.
    package var headers: [LogHeader]

    /// Describes a record to be written.
    package init(
        topicPartition: TopicPartition,
        timestamp: Int64? = nil,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [LogHeader] = []
    ) {
        self.topicPartition = topicPartition
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.headers = headers
    }
}
