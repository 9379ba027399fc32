/// OffsetCommit response (API 8), versions 0 to 8.
struct OffsetCommitResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 3.
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
        }
    }
}

extension OffsetCommitResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 3 { writer.write(self.throttleTimeMs) }
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension OffsetCommitResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension OffsetCommitResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        writer.tags()
    }
}
