import CRDKafka
import IntentEvents
import IntentRuntime

extension KafkaAdmin {
    /// The members of a group.
    ///
    /// It does not use `DescribeConsumerGroups`, which waits as `ListConsumerGroupOffsets` does (see ``groupOffsets``):
    /// a broker that disappears during the call would end the process.
    /// - Throws: ``LogError``, `unavailable`, `notAuthorized`.
    func members(of group: GroupName) throws(LogError) -> [GroupMember] {
        let client = try self.client()
        let deadline = ContinuousClock.now + self.timeout
        while true {
            var list: UnsafePointer<rd_kafka_group_list>?
            var code = rd_kafka_list_groups(client.handle, group.text, &list, max(deadline.remaining.milliseconds, 1))
            defer { list.map(rd_kafka_group_list_destroy) }
            let count = Int(list?.pointee.group_cnt ?? 0)
            let groups = UnsafeMutableBufferPointer(start: list?.pointee.groups, count: count)
            // Several brokers may know the group; its coordinator has its members.
            if code == RD_KAFKA_RESP_ERR__PARTIAL { code = RD_KAFKA_RESP_ERR_NO_ERROR }
            if code.isSuccess { code = groups.map(\.err).first { !$0.isSuccess } ?? RD_KAFKA_RESP_ERR_NO_ERROR }
            guard !code.isSuccess else {
                return groups.flatMap { self.members($0, of: group) }.sorted { ($0.name, $0.host) < ($1.name, $1.host) }
            }
            let failure = client.failure(code, "listing the members of group \(group)")
            guard failure.isRetriable, deadline.remaining > .zero else { throw failure }
            OwnThread.sleep(.milliseconds(20))
        }
    }

    private func members(_ info: rd_kafka_group_info, of group: GroupName) -> [GroupMember] {
        UnsafeMutableBufferPointer(start: info.members, count: Int(info.member_cnt))
            .map { member in
                let bytes = UnsafeRawBufferPointer(
                    start: member.member_assignment,
                    count: Int(member.member_assignment_size)
                )
                let subscription = UnsafeRawBufferPointer(
                    start: member.member_metadata,
                    count: Int(member.member_metadata_size)
                )
                let clientID = String(cString: member.client_id)
                let lane = self.laneName(clientID, of: group)
                return GroupMember(
                    name: lane ?? clientID,
                    isLane: lane != nil,
                    id: String(cString: member.member_id),
                    host: String(String(cString: member.client_host).trimmingPrefix("/")),
                    topics: MemberAssignment.topics(Array(subscription)),
                    partitions: MemberAssignment.partitions(Array(bytes))
                )
            }
    }

    /// The name of the lane from which a client id was derived; nil for another program's.
    private func laneName(_ clientID: String, of group: GroupName) -> String? {
        let prefix = "\(self.clientIDPrefix)-\(group)-"
        guard clientID.hasPrefix(prefix), clientID.hasSuffix("-consumer") else { return nil }
        return String(clientID.dropFirst(prefix.count).dropLast("-consumer".count))
    }
}
