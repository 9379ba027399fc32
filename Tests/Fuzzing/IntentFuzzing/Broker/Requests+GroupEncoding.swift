#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

extension JoinGroupRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.write(self.sessionTimeoutMs)
        if version >= 1 { writer.write(self.rebalanceTimeoutMs) }
        writer.write(self.memberID)
        if version >= 5 { writer.write(self.groupInstanceID) }
        writer.write(self.protocolType)
        writer.array(self.protocols, version: version)
        if version >= 8 { writer.write(self.reason) }
        writer.tags()
    }
}

extension JoinGroupRequest.GroupProtocol: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.write(self.metadata)
        writer.tags()
    }
}

extension SyncGroupRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.write(self.generationID)
        writer.write(self.memberID)
        if version >= 3 { writer.write(self.groupInstanceID) }
        if version >= 5 {
            writer.write(self.protocolType)
            writer.write(self.protocolName)
        }
        writer.array(self.assignments, version: version)
        writer.tags()
    }
}

extension SyncGroupRequest.Assignment: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.memberID)
        writer.write(self.assignment)
        writer.tags()
    }
}

extension HeartbeatRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.write(self.generationID)
        writer.write(self.memberID)
        if version >= 3 { writer.write(self.groupInstanceID) }
        writer.tags()
    }
}

extension LeaveGroupRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        if version <= 2 { writer.write(self.memberID) }
        if version >= 3 { writer.array(self.members, version: version) }
        writer.tags()
    }
}

extension LeaveGroupRequest.Member: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.memberID)
        writer.write(self.groupInstanceID)
        if version >= 5 { writer.write(self.reason) }
        writer.tags()
    }
}

extension OffsetCommitRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.write(self.generationID)
        writer.write(self.memberID)
        if version >= 7 { writer.write(self.groupInstanceID) }
        if version >= 2, version <= 4 { writer.write(self.retentionTimeMs) }
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension OffsetCommitRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension OffsetCommitRequest.Topic.Partition: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.offset)
        if version >= 6 { writer.write(self.leaderEpoch) }
        writer.write(self.metadata)
        writer.tags()
    }
}

extension OffsetFetchRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.array(self.topics, version: version)
        if version >= 7 { writer.write(self.requireStable) }
        writer.tags()
    }
}

extension OffsetFetchRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.write(self.partitionIndexes)
        writer.tags()
    }
}
#endif
