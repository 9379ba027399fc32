/// A range of one partition in which one producer's records do not count.
struct AbortedTransaction: Sendable, Hashable {
    var producerID: Int64
    /// The offset of the transaction's first record.
    var firstOffset: Int64
    /// The offset of the abort marker.
    var lastOffset: Int64
}
