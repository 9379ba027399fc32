extension BrokerCore {
    /// Changes a group and carries out what follows from it.
    mutating func withGroup(_ name: String, _ change: (inout ConsumerGroup) -> [ConsumerGroup.Effect]) {
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

    /// JoinGroup.
    mutating func joinGroup(_ request: JoinGroupRequest, _ context: RequestContext, at now: BrokerTime) {
        let refusal: ErrorCode? =
            if request.groupID.isEmpty {
                .invalidGroupID
            } else if !self.configuration.sessionTimeouts.contains(.milliseconds(request.sessionTimeoutMs)) {
                .invalidSessionTimeout
            } else if !request.memberID.isEmpty, self.groups[request.groupID] == nil {
                .unknownMemberID
            } else {
                nil
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
        self.withGroup(request.groupID) { $0.join(request, joining, at: now) }
    }

    /// SyncGroup.
    mutating func syncGroup(_ request: SyncGroupRequest, _ context: RequestContext, at now: BrokerTime) {
        guard self.groups[request.groupID] != nil else {
            self.reply(context.token, SyncGroupResponse(errorCode: .unknownMemberID))
            return
        }
        self.withGroup(request.groupID) { $0.sync(request, token: context.token, at: now) }
    }

    /// Heartbeat.
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

    /// DescribeGroups.
    func describeGroups(_ request: DescribeGroupsRequest) -> DescribeGroupsResponse {
        DescribeGroupsResponse(
            groups: request.groups.map { name in
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

    /// ListGroups.
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
            if let group = self.groups[name] {
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
