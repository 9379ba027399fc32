/// ListOffsets response (API 2), versions 0 to 7.
struct ListOffsetsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 2.
    var throttleTimeMs: Int32 = 0
    /// `Topics`, all versions.
    var topics: [Topic] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireEncodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `Partitions`, all versions.
        var partitions: [Partition] = []

        /// One element of `Partitions`.
        struct Partition: Sendable, WireEncodable {
            /// `PartitionIndex`, all versions.
            var partitionIndex: Int32 = 0
            /// `ErrorCode`, all versions.
            var errorCode: ErrorCode = .none
            /// `OldStyleOffsets`, up to version 0.
            var oldStyleOffsets: [Int64] = []
            /// `Timestamp`, from version 1.
            var timestamp: Int64 = -1
            /// `Offset`, from version 1.
            var offset: Int64 = -1
            /// `LeaderEpoch`, from version 4.
            var leaderEpoch: Int32 = -1
        }
    }
}

extension ListOffsetsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 2 { writer.write(self.throttleTimeMs) }
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension ListOffsetsResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension ListOffsetsResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        if version <= 0 { writer.write(self.oldStyleOffsets) }
        if version >= 1 { writer.write(self.timestamp) }
        if version >= 1 { writer.write(self.offset) }
        if version >= 4 { writer.write(self.leaderEpoch) }
        writer.tags()
    }
}
