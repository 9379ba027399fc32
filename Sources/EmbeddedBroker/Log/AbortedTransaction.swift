/// A stretch of one partition in which one producer's records do not count.
struct AbortedTransaction: Sendable, Hashable {
    /// Whose records.
    var producerID: Int64
    /// The first record of the transaction.
    var firstOffset: Int64
    /// The abort marker.
    var lastOffset: Int64
}
