/// OffsetForLeaderEpoch response (API 23), versions 0 to 4.
struct OffsetForLeaderEpochResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 2.
    var throttleTimeMs: Int32 = 0
    /// `Topics`, all versions.
    var topics: [Topic] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireEncodable {
        /// `Topic`, all versions.
        var topic: Name = ""
        /// `Partitions`, all versions.
        var partitions: [Partition] = []

        /// One element of `Partitions`.
        struct Partition: Sendable, WireEncodable {
            /// `ErrorCode`, all versions.
            var errorCode: ErrorCode = .none
            /// `Partition`, all versions.
            var partition: Int32 = 0
            /// `LeaderEpoch`, from version 1.
            var leaderEpoch: Int32 = -1
            /// `EndOffset`, all versions.
            var endOffset: Int64 = -1
        }
    }
}

extension OffsetForLeaderEpochResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 2 { writer.write(self.throttleTimeMs) }
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension OffsetForLeaderEpochResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.topic)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension OffsetForLeaderEpochResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.partition)
        if version >= 1 { writer.write(self.leaderEpoch) }
        writer.write(self.endOffset)
        writer.tags()
    }
}
