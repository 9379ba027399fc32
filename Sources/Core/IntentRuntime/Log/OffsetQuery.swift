/// A query for an offset of a partition.
package enum OffsetQuery: Hashable, Sendable {
    /// The first offset that the partition still holds.
    case earliest
    /// The offset after the last record, open transactions included (Kafka's high watermark).
    case end
    /// The offset after the last record that a `read_committed` reader can see (the last stable offset).
    case lastStable
    /// The first record at or after this time, in milliseconds since 1970; the end when there is none.
    case time(Int64)
}
