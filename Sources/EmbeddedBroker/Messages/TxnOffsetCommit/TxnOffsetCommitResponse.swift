/// TxnOffsetCommit response (API 28), versions 0 to 3.
struct TxnOffsetCommitResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
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

extension TxnOffsetCommitResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension TxnOffsetCommitResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension TxnOffsetCommitResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        writer.tags()
    }
}
