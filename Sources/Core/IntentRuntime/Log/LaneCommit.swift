/// One batch's results: written together or not at all.
package struct LaneCommit: Sendable {
    /// Outputs, in the order that they will have in each partition.
    package var records: [OutgoingRecord]
    /// The next offset to read, for every assigned partition whose input or timers took part.
    ///
    /// It is never empty: committing an offset, even an unchanged one, makes the log check that this lane still owns
    /// the partition (KIP-447). A batch of timers alone commits unchanged offsets again.
    package var offsets: [TopicPartition: Int64]

    package init(records: [OutgoingRecord], offsets: [TopicPartition: Int64]) {
        self.records = records
        self.offsets = offsets
    }
}
