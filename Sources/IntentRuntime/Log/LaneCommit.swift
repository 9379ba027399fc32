/// One batch's results: written together or not at all.
package struct LaneCommit: Sendable {
    /// Outputs, in the order in which they are to stand in each partition.
    package var records: [OutgoingRecord]
    /// The next offset to read, for every assigned partition whose input or timers took part.
    ///
    /// Never empty: committing an offset, even an unchanged one, is what makes the log check that this lane still
    /// owns the partition (KIP-447). A batch of timers alone commits the offsets again that it already has.
    package var offsets: [TopicPartition: Int64]

    /// Gathers a batch's results.
    package init(records: [OutgoingRecord], offsets: [TopicPartition: Int64]) {
        self.records = records
        self.offsets = offsets
    }
}
