/// AddPartitionsToTxn response (API 24), versions 0 to 3.
struct AddPartitionsToTxnResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `ResultsByTopicV3AndBelow`, all versions.
    var topics: [Topic] = []

    /// One element of `ResultsByTopicV3AndBelow`.
    struct Topic: Sendable, WireEncodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `ResultsByPartition`, all versions.
        var partitions: [Partition] = []

        /// One element of `ResultsByPartition`.
        struct Partition: Sendable, WireEncodable {
            /// `PartitionIndex`, all versions.
            var partitionIndex: Int32 = 0
            /// `PartitionErrorCode`, all versions.
            var errorCode: ErrorCode = .none
        }
    }
}

extension AddPartitionsToTxnResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension AddPartitionsToTxnResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension AddPartitionsToTxnResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        writer.tags()
    }
}
