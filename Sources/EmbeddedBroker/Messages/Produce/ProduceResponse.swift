/// Produce response (API 0), versions 0 to 9.
struct ProduceResponse: Sendable, WireEncodable {
    /// `Responses`, all versions.
    var responses: [Topic] = []
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0

    /// One element of `Responses`.
    struct Topic: Sendable, WireEncodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `PartitionResponses`, all versions.
        var partitions: [Partition] = []

        /// One element of `PartitionResponses`.
        struct Partition: Sendable, WireEncodable {
            /// `Index`, all versions.
            var index: Int32 = 0
            /// `ErrorCode`, all versions.
            var errorCode: ErrorCode = .none
            /// `BaseOffset`, all versions.
            var baseOffset: Int64 = 0
            /// `LogAppendTimeMs`, from version 2.
            var logAppendTimeMs: Int64 = -1
            /// `LogStartOffset`, from version 5.
            var logStartOffset: Int64 = -1
            /// `RecordErrors`, from version 8.
            var recordErrors: [RecordError] = []
            /// `ErrorMessage`, from version 8.
            var errorMessage: String? = nil

            /// One element of `RecordErrors`.
            struct RecordError: Sendable, WireEncodable {
                /// `BatchIndex`, from version 8.
                var batchIndex: Int32 = 0
                /// `BatchIndexErrorMessage`, from version 8.
                var batchIndexErrorMessage: String? = nil
            }
        }
    }
}

extension ProduceResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.array(self.responses, version: version)
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.tags()
    }
}

extension ProduceResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension ProduceResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.index)
        writer.write(self.errorCode)
        writer.write(self.baseOffset)
        if version >= 2 { writer.write(self.logAppendTimeMs) }
        if version >= 5 { writer.write(self.logStartOffset) }
        if version >= 8 { writer.array(self.recordErrors, version: version) }
        if version >= 8 { writer.write(self.errorMessage) }
        writer.tags()
    }
}

extension ProduceResponse.Topic.Partition.RecordError {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 8 { writer.write(self.batchIndex) }
        if version >= 8 { writer.write(self.batchIndexErrorMessage) }
        writer.tags()
    }
}
