/// DescribeProducers response (API 61), version 0.
struct DescribeProducersResponse: Sendable, WireEncodable {
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
            /// `ErrorMessage`, all versions.
            var errorMessage: String? = nil
            /// `ActiveProducers`, all versions.
            var activeProducers: [Producer] = []

            /// One element of `ActiveProducers`.
            struct Producer: Sendable, WireEncodable {
                /// `ProducerId`, all versions.
                var producerID: Int64 = 0
                /// `ProducerEpoch`, all versions.
                var producerEpoch: Int32 = 0
                /// `LastSequence`, all versions.
                var lastSequence: Int32 = -1
                /// `LastTimestamp`, all versions.
                var lastTimestamp: Int64 = -1
                /// `CoordinatorEpoch`, all versions.
                var coordinatorEpoch: Int32 = 0
                /// `CurrentTxnStartOffset`, all versions.
                var currentTxnStartOffset: Int64 = -1
            }
        }
    }
}

extension DescribeProducersResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension DescribeProducersResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension DescribeProducersResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.errorCode)
        writer.write(self.errorMessage)
        writer.array(self.activeProducers, version: version)
        writer.tags()
    }
}

extension DescribeProducersResponse.Topic.Partition.Producer {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        writer.write(self.lastSequence)
        writer.write(self.lastTimestamp)
        writer.write(self.coordinatorEpoch)
        writer.write(self.currentTxnStartOffset)
        writer.tags()
    }
}
