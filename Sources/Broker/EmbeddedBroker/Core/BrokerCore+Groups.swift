import NIOCore

extension BrokerCore {
    /// Changes a group and carries out the resulting effects.
    mutating func withGroup(_ name: Name, _ change: (inout ConsumerGroup) -> [ConsumerGroup.Effect]) {
        var group = self.groups.removeValue(forKey: name) ?? ConsumerGroup(id: name)
        let effects = change(&group)
        self.groups[name] = group
        self.touchedGroups.insert(name)
        for effect in effects {
            switch effect {
            case .joined(let token, let response): self.reply(token, response)
            case .synced(let token, let response): self.reply(token, response)
            }
        }
    }

    mutating func joinGroup(_ request: JoinGroupRequest, _ context: RequestContext, at now: BrokerTime) {
        let refusal: ErrorCode? =
            if !request.groupID.isSound {
                .invalidGroupID
            } else if !self.configuration.sessionTimeouts.contains(.milliseconds(request.sessionTimeoutMs)) {
                .invalidSessionTimeout
            } else if !request.memberID.isEmpty, self.groups[request.groupID] == nil {
                .unknownMemberID
            } else {
                self.refusal(toJoin: request, at: now)
            }
        if let refusal {
            let response = JoinGroupResponse(errorCode: refusal, protocolName: "", memberID: request.memberID)
            self.reply(context.token, response)
            return
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
        self.withGroup(request.groupID) { $0.join(bounded, joining, at: now) }
    }

    /// The error if the member would be one too many or too large; nil if it may join.
    private mutating func refusal(toJoin request: JoinGroupRequest, at now: BrokerTime) -> ErrorCode? {
        let limits = self.configuration.limits
        let names = [request.memberID, request.groupInstanceID, request.protocolType].compactMap { $0 }
        guard names.allSatisfy({ $0.isEmpty || $0.isSound }) else { return .invalidRequest }
        let bytes = request.protocols.reduce(0) { $0 + 64 + $1.name.text.utf8.count + $1.metadata.readableBytes }
        let held = self.groups.values.reduce(bytes) { $0 + $1.byteCount }
        let group = self.groups[request.groupID]
        let isMember = group?.members[request.memberID] != nil || group?.pendingMembers[request.memberID] != nil
        let members = (group?.members.count ?? 0) + (group?.pendingMembers.count ?? 0)
        let isAllowed =
            (group != nil || self.allows(self.groups.count, of: "groups", limit: limits.groups, at: now))
            && (isMember || self.allows(members, of: "members of a group", limit: limits.groupMembers, at: now))
            && self.allows(bytes - 1, of: "bytes of a member", limit: limits.memberBytes, at: now)
            && self.allows(held - 1, of: "bytes of all members", limit: limits.groupBytes, at: now)
        return isAllowed ? nil : .groupMaxSizeReached
    }

    mutating func syncGroup(_ request: SyncGroupRequest, _ context: RequestContext, at now: BrokerTime) {
        guard self.groups[request.groupID] != nil else {
            self.reply(context.token, SyncGroupResponse(errorCode: .unknownMemberID))
            return
        }
        let bytes = request.assignments.reduce(0) { $0 + $1.assignment.readableBytes }
        let held = bytes == 0 ? 0 : self.groups.values.reduce(bytes) { $0 + $1.byteCount }
        let limit = self.configuration.limits.groupBytes
        guard self.allows(held - 1, of: "bytes of all members", limit: limit, at: now) else {
            self.reply(context.token, SyncGroupResponse(errorCode: .policyViolation))
            return
        }
        self.withGroup(request.groupID) { $0.sync(request, token: context.token, at: now) }
    }

    mutating func heartbeat(_ request: HeartbeatRequest, at now: BrokerTime) -> HeartbeatResponse {
        guard self.groups[request.groupID] != nil else { return HeartbeatResponse(errorCode: .unknownMemberID) }
        var code = ErrorCode.none
        self.withGroup(request.groupID) { group in
            code = group.heartbeat(request, at: now)
            return []
        }
        return HeartbeatResponse(errorCode: code)
    }

    /// LeaveGroup: one member before version 3, any number since (KIP-345).
    mutating func leaveGroup(
        _ request: LeaveGroupRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) -> LeaveGroupResponse {
        let isKnown = self.groups[request.groupID] != nil
        var leaving = request.members
        if context.version < 3 { leaving = [.init(memberID: request.memberID)] }
        var response = LeaveGroupResponse()
        for member in leaving {
            var code = ErrorCode.unknownMemberID
            if isKnown {
                self.withGroup(request.groupID) { group in
                    let (result, effects) = group.leave(
                        memberID: member.memberID,
                        instanceID: member.groupInstanceID,
                        at: now
                    )
                    code = result
                    return effects
                }
            }
            if context.version < 3 { response.errorCode = code }
            response.members.append(
                .init(memberID: member.memberID, groupInstanceID: member.groupInstanceID, errorCode: code)
            )
        }
        return response
    }

    func describeGroups(_ request: DescribeGroupsRequest) -> DescribeGroupsResponse {
        var seen: Set<Name> = []
        return DescribeGroupsResponse(
            groups: request.groups.filter { seen.insert($0).inserted }
                .map { name in
                    guard let group = self.groups[name] else { return .init(groupID: name, groupState: "Dead") }
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
            groups: self.groups.values.sorted { $0.id < $1.id }
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
            } else if let group = self.groups[name] {
                if group.members.isEmpty {
                    self.forgetGroup(name)
                    try self.store.dropGroup(name)
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
}
