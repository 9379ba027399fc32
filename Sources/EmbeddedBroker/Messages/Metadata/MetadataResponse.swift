/// Metadata response (API 3), versions 0 to 12.
struct MetadataResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 3.
    var throttleTimeMs: Int32 = 0
    /// `Brokers`, all versions.
    var brokers: [Broker] = []
    /// `ClusterId`, from version 2.
    var clusterID: String? = nil
    /// `ControllerId`, from version 1.
    var controllerID: Int32 = -1
    /// `Topics`, all versions.
    var topics: [Topic] = []
    /// `ClusterAuthorizedOperations`, versions 8 to 10.
    var clusterAuthorizedOperations: Int32 = .min

    /// One element of `Brokers`.
    struct Broker: Sendable, WireEncodable {
        /// `NodeId`, all versions.
        var nodeID: Int32 = 0
        /// `Host`, all versions.
        var host: String = ""
        /// `Port`, all versions.
        var port: Int32 = 0
        /// `Rack`, from version 1.
        var rack: String? = nil
    }

    /// One element of `Topics`.
    struct Topic: Sendable, WireEncodable {
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `Name`, all versions.
        var name: Name? = nil
        /// `TopicId`, from version 10.
        var topicID: TopicID = .zero
        /// `IsInternal`, from version 1.
        var isInternal: Bool = false
        /// `Partitions`, all versions.
        var partitions: [Partition] = []
        /// `TopicAuthorizedOperations`, from version 8.
        var topicAuthorizedOperations: Int32 = .min

        /// One element of `Partitions`.
        struct Partition: Sendable, WireEncodable {
            /// `ErrorCode`, all versions.
            var errorCode: ErrorCode = .none
            /// `PartitionIndex`, all versions.
            var partitionIndex: Int32 = 0
            /// `LeaderId`, all versions.
            var leaderID: Int32 = 0
            /// `LeaderEpoch`, from version 7.
            var leaderEpoch: Int32 = -1
            /// `ReplicaNodes`, all versions.
            var replicaNodes: [Int32] = []
            /// `IsrNodes`, all versions.
            var isrNodes: [Int32] = []
            /// `OfflineReplicas`, from version 5.
            var offlineReplicas: [Int32] = []
        }
    }
}

extension MetadataResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 3 { writer.write(self.throttleTimeMs) }
        writer.array(self.brokers, version: version)
        if version >= 2 { writer.write(self.clusterID) }
        if version >= 1 { writer.write(self.controllerID) }
        writer.array(self.topics, version: version)
        if version >= 8, version <= 10 { writer.write(self.clusterAuthorizedOperations) }
        writer.tags()
    }
}

extension MetadataResponse.Broker {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.nodeID)
        writer.write(self.host)
        writer.write(self.port)
        if version >= 1 { writer.write(self.rack) }
        writer.tags()
    }
}

extension MetadataResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.name)
        if version >= 10 { writer.write(self.topicID) }
        if version >= 1 { writer.write(self.isInternal) }
        writer.array(self.partitions, version: version)
        if version >= 8 { writer.write(self.topicAuthorizedOperations) }
        writer.tags()
    }
}

extension MetadataResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.partitionIndex)
        writer.write(self.leaderID)
        if version >= 7 { writer.write(self.leaderEpoch) }
        writer.write(self.replicaNodes)
        writer.write(self.isrNodes)
        if version >= 5 { writer.write(self.offlineReplicas) }
        writer.tags()
    }
}
