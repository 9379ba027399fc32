import NIOCore

/// Fetch response (API 1), versions 0 to 12.
struct FetchResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, from version 7.
    var errorCode: ErrorCode = .none
    /// `SessionId`, from version 7.
    var sessionID: Int32 = 0
    /// `Responses`, all versions.
    var responses: [Topic] = []

    /// One element of `Responses`.
    struct Topic: Sendable, WireEncodable {
        /// `Topic`, all versions.
        var topic: Name = ""
        /// `Partitions`, all versions.
        var partitions: [Partition] = []

        /// One element of `Partitions`.
        struct Partition: Sendable, WireEncodable {
            /// `PartitionIndex`, all versions.
            var partitionIndex: Int32 = 0
            /// `ErrorCode`, all versions.
            var errorCode: ErrorCode = .none
            /// `HighWatermark`, all versions.
            var highWatermark: Int64 = 0
            /// `LastStableOffset`, from version 4.
            var lastStableOffset: Int64 = -1
            /// `LogStartOffset`, from version 5.
            var logStartOffset: Int64 = -1
            /// `AbortedTransactions`, from version 4.
            var abortedTransactions: [Aborted]? = nil
            /// `PreferredReadReplica`, from version 11.
            var preferredReadReplica: Int32 = -1
            /// `Records`, all versions.
            var records: [ByteBuffer] = []

            /// One element of `AbortedTransactions`.
            struct Aborted: Sendable, WireEncodable {
                /// `ProducerId`, from version 4.
                var producerID: Int64 = 0
                /// `FirstOffset`, from version 4.
                var firstOffset: Int64 = 0
            }
        }
    }
}

extension FetchResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        if version >= 7 { writer.write(self.errorCode) }
        if version >= 7 { writer.write(self.sessionID) }
        writer.array(self.responses, version: version)
        writer.tags()
    }
}

extension FetchResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.topic)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension FetchResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        writer.write(self.highWatermark)
        if version >= 4 { writer.write(self.lastStableOffset) }
        if version >= 5 { writer.write(self.logStartOffset) }
        if version >= 4 { writer.array(self.abortedTransactions, version: version) }
        if version >= 11 { writer.write(self.preferredReadReplica) }
        writer.recordSet(self.records)
        writer.tags()
    }
}

extension FetchResponse.Topic.Partition.Aborted {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 4 { writer.write(self.producerID) }
        if version >= 4 { writer.write(self.firstOffset) }
        writer.tags()
    }
}
