import NIOCore

@testable import EmbeddedBroker

extension JoinGroupResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.generationID = try reader.int32()
        self.protocolName = try reader.nullableString()
        self.leader = try reader.string()
        self.memberID = try reader.string()
        self.members = try reader.array(of: Member.self, version: version)
    }
}

extension JoinGroupResponse.Member: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.memberID = try reader.string()
        self.groupInstanceID = try reader.nullableString()
        self.metadata = try reader.bytes()
    }
}

extension SyncGroupResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.assignment = try reader.bytes()
    }
}

extension HeartbeatResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
    }
}

extension LeaveGroupResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.members = try reader.array(of: Member.self, version: version)
    }
}

extension LeaveGroupResponse.Member: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.memberID = try reader.string()
        self.groupInstanceID = try reader.nullableString()
        self.errorCode = try reader.errorCode()
    }
}

extension OffsetCommitResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.topics = try reader.array(of: Topic.self, version: version)
    }
}

extension OffsetCommitResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
    }
}

extension OffsetCommitResponse.Topic.Partition: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.errorCode = try reader.errorCode()
    }
}

extension OffsetFetchResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.topics = try reader.array(of: Topic.self, version: version)
        self.errorCode = try reader.errorCode()
    }
}

extension OffsetFetchResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension OffsetFetchResponse.Topic.Partition: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.offset = try reader.int64()
        self.leaderEpoch = try reader.int32()
        self.metadata = try reader.nullableString()
        self.errorCode = try reader.errorCode()
        try reader.tags()
    }
}
