/// OffsetFetch response (API 9), versions 0 to 8.
struct OffsetFetchResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 3.
    var throttleTimeMs: Int32 = 0
    /// `Topics`, up to version 7.
    var topics: [Topic] = []
    /// `ErrorCode`, versions 2 to 7.
    var errorCode: ErrorCode = .none
    /// `Groups`, from version 8.
    var groups: [Group] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireEncodable {
        /// `Name`, up to version 7.
        var name: Name = ""
        /// `Partitions`, up to version 7.
        var partitions: [Partition] = []

        /// One element of `Partitions`.
        struct Partition: Sendable, WireEncodable {
            /// `PartitionIndex`, up to version 7.
            var partitionIndex: Int32 = 0
            /// `CommittedOffset`, up to version 7.
            var offset: Int64 = 0
            /// `CommittedLeaderEpoch`, versions 5 to 7.
            var leaderEpoch: Int32 = -1
            /// `Metadata`, up to version 7.
            var metadata: String? = nil
            /// `ErrorCode`, up to version 7.
            var errorCode: ErrorCode = .none
        }
    }

    /// One element of `Groups`.
    struct Group: Sendable, WireEncodable {
        /// `GroupId`, from version 8.
        var groupID: Name = ""
        /// `Topics`, from version 8.
        var topics: [Topic] = []
        /// `ErrorCode`, from version 8.
        var errorCode: ErrorCode = .none

        /// One element of `Topics`.
        struct Topic: Sendable, WireEncodable {
            /// `Name`, from version 8.
            var name: Name = ""
            /// `Partitions`, from version 8.
            var partitions: [Partition] = []

            /// One element of `Partitions`.
            struct Partition: Sendable, WireEncodable {
                /// `PartitionIndex`, from version 8.
                var partitionIndex: Int32 = 0
                /// `CommittedOffset`, from version 8.
                var offset: Int64 = 0
                /// `CommittedLeaderEpoch`, from version 8.
                var leaderEpoch: Int32 = -1
                /// `Metadata`, from version 8.
                var metadata: String? = nil
                /// `ErrorCode`, from version 8.
                var errorCode: ErrorCode = .none
            }
        }
    }
}

extension OffsetFetchResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 3 { writer.write(self.throttleTimeMs) }
        if version <= 7 { writer.array(self.topics, version: version) }
        if version >= 2, version <= 7 { writer.write(self.errorCode) }
        if version >= 8 { writer.array(self.groups, version: version) }
        writer.tags()
    }
}

extension OffsetFetchResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version <= 7 { writer.write(self.name) }
        if version <= 7 { writer.array(self.partitions, version: version) }
        writer.tags()
    }
}

extension OffsetFetchResponse.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version <= 7 { writer.write(self.partitionIndex) }
        if version <= 7 { writer.write(self.offset) }
        if version >= 5, version <= 7 { writer.write(self.leaderEpoch) }
        if version <= 7 { writer.write(self.metadata) }
        if version <= 7 { writer.write(self.errorCode) }
        writer.tags()
    }
}

extension OffsetFetchResponse.Group {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 8 { writer.write(self.groupID) }
        if version >= 8 { writer.array(self.topics, version: version) }
        if version >= 8 { writer.write(self.errorCode) }
        writer.tags()
    }
}

extension OffsetFetchResponse.Group.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 8 { writer.write(self.name) }
        if version >= 8 { writer.array(self.partitions, version: version) }
        writer.tags()
    }
}

extension OffsetFetchResponse.Group.Topic.Partition {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 8 { writer.write(self.partitionIndex) }
        if version >= 8 { writer.write(self.offset) }
        if version >= 8 { writer.write(self.leaderEpoch) }
        if version >= 8 { writer.write(self.metadata) }
        if version >= 8 { writer.write(self.errorCode) }
        writer.tags()
    }
}
