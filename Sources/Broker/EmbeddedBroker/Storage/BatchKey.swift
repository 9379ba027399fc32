/// The row id of a batch: partition and base offset in one integer, so that one B-tree holds the log in reading order.
enum BatchKey {
    /// Bits for the offset; the partition has the 19 above them.
    private static let offsetBits: Int64 = 44
    /// The largest offset that can be stored, about 17 trillion.
    static let maxOffset: Int64 = (1 << 44) - 1

    /// The largest row of a partition.
    static let maxPartition: Int64 = (1 << 19) - 1

    /// The bits of an offset within its chunk of the log.
    static let chunkBits: Int64 = 12
    /// The bits of a chunk's number within its partition.
    static let partitionChunkBits = 44 - chunkBits

    /// The chunks of a partition, which are row ids of `batch_times`.
    static func chunks(of partition: Int64) -> Range<Int64> {
        partition << self.partitionChunkBits..<(partition + 1) << self.partitionChunkBits
    }

    /// The row id of the batch that begins at the offset.
    static func make(partition: Int64, offset: Int64) -> Int64 {
        partition << self.offsetBits | min(max(offset, 0), self.maxOffset)
    }

    /// The base offset in a row id.
    static func offset(of key: Int64) -> Int64 {
        key & self.maxOffset
    }
}
