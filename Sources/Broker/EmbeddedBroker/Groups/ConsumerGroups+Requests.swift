import NIOCore

extension ConsumerGroups {
    mutating func join(
        _ request: JoinGroupRequest,
        _ context: RequestContext,
        _ notices: inout Notices,
        at now: BrokerTime
    ) -> [ConsumerGroup.Effect] {
        let refusal: ErrorCode? =
            if !request.groupID.isSound {
                .invalidGroupID
            } else if !self.configuration.sessionTimeouts.contains(.milliseconds(request.sessionTimeoutMs)) {
                .invalidSessionTimeout
            } else if !request.memberID.isEmpty, self[request.groupID] == nil {
                .unknownMemberID
            } else {
                self.refusal(toJoin: request, &notices, at: now)
            }
        if let refusal {
            let response = JoinGroupResponse(errorCode: refusal, protocolName: "", memberID: request.memberID)
            return [.joined(context.token, response)]
        }
        let joining = ConsumerGroup.JoinContext(
            token: context.token,
            clientID: context.clientID,
            clientHost: context.clientHost,
            requiresMemberID: context.version >= 4,
            knowsSkipAssignment: context.version >= 9,
            initialDelay: self.configuration.initialRebalanceDelay.milliseconds,
            freshID: self.freshMemberID(context, instanceID: request.groupInstanceID)
        )
        var bounded = request
        let longest = Int32(clamping: self.configuration.sessionTimeouts.upperBound.milliseconds)
        bounded.rebalanceTimeoutMs = min(request.rebalanceTimeoutMs, longest)
        return self.update(request.groupID) { $0.join(bounded, joining, at: now) }
    }

    /// The error if the member would be one too many or too large; nil if it may join.
    private func refusal(
        toJoin request: JoinGroupRequest,
        _ notices: inout Notices,
        at now: BrokerTime
    ) -> ErrorCode? {
        let limits = self.configuration.limits
        let names = [request.memberID, request.groupInstanceID, request.protocolType].compactMap { $0 }
        guard names.allSatisfy({ $0.isEmpty || $0.isSound }) else { return .invalidRequest }
        let bytes = request.protocols.reduce(0) { $0 + 64 + $1.name.text.utf8.count + $1.metadata.readableBytes }
        let held = self.values.reduce(bytes) { $0 + $1.byteCount }
        let group = self[request.groupID]
        let isMember = group?.members[request.memberID] != nil || group?.pendingMembers[request.memberID] != nil
        let members = (group?.members.count ?? 0) + (group?.pendingMembers.count ?? 0)
        let isAllowed =
            (group != nil || notices.allows(self.count, of: "groups", limit: limits.groups, at: now))
            && (isMember || notices.allows(members, of: "members of a group", limit: limits.groupMembers, at: now))
            && notices.allows(bytes - 1, of: "bytes of a member", limit: limits.memberBytes, at: now)
            && notices.allows(held - 1, of: "bytes of all members", limit: limits.groupBytes, at: now)
        return isAllowed ? nil : .groupMaxSizeReached
    }

    mutating func sync(
        _ request: SyncGroupRequest,
        _ token: ReplyToken,
        _ notices: inout Notices,
        at now: BrokerTime
    ) -> [ConsumerGroup.Effect] {
        guard self[request.groupID] != nil else {
            return [.synced(token, SyncGroupResponse(errorCode: .unknownMemberID))]
        }
        let bytes = request.assignments.reduce(0) { $0 + $1.assignment.readableBytes }
        let held = bytes == 0 ? 0 : self.values.reduce(bytes) { $0 + $1.byteCount }
        let limit = self.configuration.limits.groupBytes
        guard notices.allows(held - 1, of: "bytes of all members", limit: limit, at: now) else {
            return [.synced(token, SyncGroupResponse(errorCode: .policyViolation))]
        }
        return self.update(request.groupID) { $0.sync(request, token: token, at: now) }
    }

    mutating func heartbeat(_ request: HeartbeatRequest, at now: BrokerTime) -> HeartbeatResponse {
        guard self[request.groupID] != nil else { return HeartbeatResponse(errorCode: .unknownMemberID) }
        return HeartbeatResponse(errorCode: self.update(request.groupID) { $0.heartbeat(request, at: now) })
    }

    /// LeaveGroup: one member before version 3, any number since (KIP-345).
    mutating func leave(
        _ request: LeaveGroupRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) -> (response: LeaveGroupResponse, effects: [ConsumerGroup.Effect]) {
        let isKnown = self[request.groupID] != nil
        var leaving = request.members
        if context.version < 3 { leaving = [.init(memberID: request.memberID)] }
        var response = LeaveGroupResponse()
        var effects: [ConsumerGroup.Effect] = []
        for member in leaving {
            var code = ErrorCode.unknownMemberID
            if isKnown {
                let result = self.update(request.groupID) {
                    $0.leave(memberID: member.memberID, instanceID: member.groupInstanceID, at: now)
                }
                code = result.0
                effects += result.1
            }
            if context.version < 3 { response.errorCode = code }
            response.members.append(
                .init(memberID: member.memberID, groupInstanceID: member.groupInstanceID, errorCode: code)
            )
        }
        return (response, effects)
    }

    /// Ends what has taken too long in a group.
    mutating func tick(_ id: Name, at now: BrokerTime) -> [ConsumerGroup.Effect] {
        guard self[id] != nil else { return [] }
        return self.update(id) { $0.tick(at: now) }
    }

    func describeGroups(_ request: DescribeGroupsRequest) -> DescribeGroupsResponse {
        var seen: Set<Name> = []
        return DescribeGroupsResponse(
            groups: request.groups.filter { seen.insert($0).inserted }
                .map { name in
                    guard let group = self[name] else { return .init(groupID: name, groupState: "Dead") }
                    return .init(
                        groupID: name,
                        groupState: group.stateName,
                        protocolType: group.protocolType ?? "",
                        protocolData: group.phase == .stable ? group.protocolName ?? "" : "",
                        members: group.members.values.sorted { $0.id < $1.id }
                            .map { member in
                                .init(
                                    memberID: member.id,
                                    groupInstanceID: member.instanceID,
                                    clientID: member.clientID,
                                    clientHost: member.clientHost,
                                    memberMetadata: member.metadata(for: group.protocolName ?? ""),
                                    memberAssignment: member.assignment
                                )
                            }
                    )
                }
        )
    }

    func listGroups(_ request: ListGroupsRequest) -> ListGroupsResponse {
        let wanted = request.statesFilter.map { $0.lowercased() }
        return ListGroupsResponse(
            groups: self.values.sorted { $0.id < $1.id }
                .filter { wanted.isEmpty || wanted.contains($0.stateName.lowercased()) }
                .map { .init(groupID: $0.id, protocolType: $0.protocolType ?? "", groupState: $0.stateName) }
        )
    }

    /// DeleteGroups: only groups without members.
    mutating func deleteGroups(_ request: DeleteGroupsRequest) throws -> DeleteGroupsResponse {
        var response = DeleteGroupsResponse()
        for name in request.groupNames {
            var result = DeleteGroupsResponse.Result(groupID: name)
            if !self.configuration.allowsDeletion {
                result.errorCode = .policyViolation
            } else if let group = self[name] {
                if group.members.isEmpty {
                    try self.drop(name)
                } else {
                    result.errorCode = .nonEmptyGroup
                }
            } else {
                result.errorCode = .groupIDNotFound
            }
            response.results.append(result)
        }
        return response
    }

    /// OffsetDelete (KIP-496): only for topics that no member reads any more, which here means a group without members.
    mutating func deleteOffsets(_ request: OffsetDeleteRequest) throws -> OffsetDeleteResponse {
        guard let group = self[request.groupID] else { return .init(errorCode: .groupIDNotFound) }
        var response = OffsetDeleteResponse()
        for topic in request.topics {
            var results = OffsetDeleteResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let code: ErrorCode = group.members.isEmpty ? .none : .groupSubscribedToTopic
                if code == .none {
                    let dropped = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                    try self.dropOffset(group: request.groupID, dropped)
                }
                results.partitions.append(.init(partitionIndex: partition.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        return response
    }
}
