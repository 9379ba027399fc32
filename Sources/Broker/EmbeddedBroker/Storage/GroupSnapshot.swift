import NIOCore

/// The form in which a group's generation and members are kept in one SQLite value.
///
/// A restart restores a stable group as it was, so its members continue with their heartbeats. A group that was in a
/// rebalance begins the rebalance again.
enum GroupSnapshot {
    private static let format: Int8 = 1

    /// The value to store.
    static func bytes(of group: ConsumerGroup) -> ByteBuffer {
        var writer = WireWriter(ByteBuffer(), isFlexible: true)
        writer.write(self.format)
        writer.write(group.phase == .stable)
        writer.write(group.generation)
        writer.write(group.protocolType)
        writer.write(group.protocolName)
        writer.write(group.leader)
        writer.write(Int32(group.members.count))
        for member in group.members.values {
            writer.write(member.id)
            writer.write(member.instanceID)
            writer.write(member.clientID)
            writer.write(member.clientHost)
            writer.write(member.sessionTimeout)
            writer.write(member.rebalanceTimeout)
            writer.write(Int32(member.protocols.count))
            for offer in member.protocols {
                writer.write(offer.name)
                writer.write(offer.metadata)
            }
            writer.write(member.assignment)
        }
        return writer.buffer
    }

    /// The stored group; every session time-out starts again.
    static func group(id: Name, from bytes: ByteBuffer, at now: BrokerTime) throws(WireError) -> ConsumerGroup {
        var reader = WireReader(bytes, isFlexible: true)
        guard try reader.int8() == self.format else { throw .invalidLength }
        var group = ConsumerGroup(id: id)
        let isStable = try reader.bool()
        group.generation = try reader.int32()
        group.protocolType = try reader.nullableString()
        group.protocolName = try reader.nullableString()
        group.leader = try reader.nullableString()
        for _ in 0..<(try reader.int32()) {
            let member = try self.member(from: &reader, at: now)
            group.members[member.id] = member
            if let instanceID = member.instanceID { group.staticMembers[instanceID] = member.id }
        }
        if isStable {
            group.phase = .stable
        } else if !group.members.isEmpty {
            let deadline = now.monotonic + (group.members.values.map(\.rebalanceTimeout).max() ?? 0)
            group.phase = .preparingRebalance(earliest: now.monotonic, deadline: deadline)
        }
        return group
    }

    private static func member(from reader: inout WireReader, at now: BrokerTime) throws(WireError) -> GroupMember {
        var member = GroupMember(
            id: try reader.string(),
            instanceID: try reader.nullableString(),
            clientID: try reader.string(),
            clientHost: try reader.string(),
            sessionTimeout: try reader.int64(),
            rebalanceTimeout: try reader.int64(),
            protocols: [],
            expiry: 0
        )
        member.expiry = now.monotonic + member.sessionTimeout
        for _ in 0..<(try reader.int32()) {
            member.protocols.append(GroupMember.Offer(name: try reader.string(), metadata: try reader.bytes()))
        }
        member.assignment = try reader.bytes()
        return member
    }
}
