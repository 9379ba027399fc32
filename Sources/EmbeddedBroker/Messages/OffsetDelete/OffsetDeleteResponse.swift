/// OffsetDelete response (API 47), version 0.
struct OffsetDeleteResponse: Sendable, WireEncodable {
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
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

extension OffsetDeleteResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.throttleTimeMs)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension OffsetDeleteResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension OffsetDeleteResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        writer.tags()
    }
}
