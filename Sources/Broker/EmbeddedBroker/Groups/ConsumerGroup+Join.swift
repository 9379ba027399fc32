import NIOCore

extension ConsumerGroup {
    /// The context of a JoinGroup beside the request itself.
    struct JoinContext: Sendable {
        /// The address of the answer.
        var token: ReplyToken
        /// The name that the client gives itself.
        var clientID: String
        /// The address that the client joins from.
        var clientHost: String
        /// Whether a new dynamic member must come back with the id that it is given (version 4, KIP-394).
        var requiresMemberID: Bool
        /// Whether the response can make a static leader skip the assignment (version 9, KIP-814).
        var knowsSkipAssignment: Bool
        /// The time for which the first generation waits for more members, in milliseconds.
        var initialDelay: Int64
        /// The id for a new member.
        var freshID: Name
    }

    /// Handles a JoinGroup; the answer may come at once or when the join phase ends.
    mutating func join(_ request: JoinGroupRequest, _ context: JoinContext, at now: BrokerTime) -> [Effect] {
        // Copied: a slice would keep its whole frame in memory.
        let offers = request.protocols.map {
            GroupMember.Offer(name: $0.name, metadata: ByteBuffer(buffer: $0.metadata))
        }
        guard !offers.isEmpty, !request.protocolType.isEmpty,
            self.accepts(offers, type: request.protocolType, from: request)
        else { return [Self.refuse(context.token, .inconsistentGroupProtocol, request.memberID)] }
        if request.memberID.isEmpty {
            return self.joinAsNew(request, offers, context, at: now)
        }
        if let instanceID = request.groupInstanceID {
            if let refusal = self.refusal(memberID: request.memberID, instanceID: instanceID) {
                return [Self.refuse(context.token, refusal, request.memberID)]
            }
        } else if self.pendingMembers.removeValue(forKey: request.memberID) != nil {
            return self.add(request.memberID, request, offers, context, at: now)
        }
        guard self.members[request.memberID] != nil else {
            return [Self.refuse(context.token, .unknownMemberID, request.memberID)]
        }
        return self.rejoin(request, offers, context, at: now)
    }

    private func accepts(_ offers: [GroupMember.Offer], type: Name, from request: JoinGroupRequest) -> Bool {
        let others = self.members.values.filter { member in
            member.id != request.memberID
                && (request.groupInstanceID == nil || member.instanceID != request.groupInstanceID)
        }
        if others.isEmpty { return true }
        guard self.protocolType == type else { return false }
        return offers.contains { offer in
            others.allSatisfy { other in other.protocols.contains { $0.name == offer.name } }
        }
    }

    private mutating func joinAsNew(
        _ request: JoinGroupRequest,
        _ offers: [GroupMember.Offer],
        _ context: JoinContext,
        at now: BrokerTime
    ) -> [Effect] {
        if let instanceID = request.groupInstanceID {
            if let previous = self.staticMembers[instanceID] {
                return self.replace(previous, request, offers, context, at: now)
            }
            return self.add(context.freshID, request, offers, context, at: now)
        }
        if context.requiresMemberID {
            let deadline = now.monotonic + Int64(request.sessionTimeoutMs)
            self.pendingMembers[context.freshID] = deadline
            return [Self.refuse(context.token, .memberIDRequired, context.freshID)]
        }
        return self.add(context.freshID, request, offers, context, at: now)
    }

    private mutating func add(
        _ memberID: Name,
        _ request: JoinGroupRequest,
        _ offers: [GroupMember.Offer],
        _ context: JoinContext,
        at now: BrokerTime
    ) -> [Effect] {
        var member = GroupMember(
            id: memberID,
            instanceID: request.groupInstanceID,
            clientID: context.clientID,
            clientHost: context.clientHost,
            sessionTimeout: Int64(request.sessionTimeoutMs),
            rebalanceTimeout: Int64(request.effectiveRebalanceTimeoutMs),
            protocols: offers,
            expiry: now.monotonic + Int64(request.sessionTimeoutMs)
        )
        member.pendingJoin = context.token
        self.members[memberID] = member
        if let instanceID = request.groupInstanceID { self.staticMembers[instanceID] = memberID }
        self.protocolType = request.protocolType
        if self.leader == nil { self.leader = memberID }
        return self.prepareRebalance(initialDelay: context.initialDelay, at: now)
    }

    /// Handles a JoinGroup of a known member, which repeats its request or has a new subscription.
    private mutating func rejoin(
        _ request: JoinGroupRequest,
        _ offers: [GroupMember.Offer],
        _ context: JoinContext,
        at now: BrokerTime
    ) -> [Effect] {
        let id = request.memberID
        let changed = self.members[id]?.protocols != offers
        self.touch(id, at: now)
        switch self.phase {
        case .stable where !changed && self.leader != id, .completingRebalance where !changed:
            // The answer to the last JoinGroup got lost, or a follower was asked to join for no reason.
            return [.joined(context.token, self.joinResponse(for: id))]
        case .empty, .preparingRebalance, .completingRebalance, .stable:
            var effects: [Effect] = []
            if let earlier = self.members[id]?.pendingJoin {
                effects.append(Self.refuse(earlier, .rebalanceInProgress, id))
            }
            self.members[id]?.protocols = offers
            self.members[id]?.sessionTimeout = Int64(request.sessionTimeoutMs)
            self.members[id]?.rebalanceTimeout = Int64(request.effectiveRebalanceTimeoutMs)
            self.members[id]?.pendingJoin = context.token
            return effects + self.prepareRebalance(initialDelay: 0, at: now)
        }
    }

    /// Gives a static member that comes back under a new id the place of its old id, whose requests are fenced.
    private mutating func replace(
        _ previous: Name,
        _ request: JoinGroupRequest,
        _ offers: [GroupMember.Offer],
        _ context: JoinContext,
        at now: BrokerTime
    ) -> [Effect] {
        guard var member = self.members.removeValue(forKey: previous) else { return [] }
        let id = context.freshID
        var effects: [Effect] = []
        if let join = member.pendingJoin { effects.append(Self.refuse(join, .fencedInstanceID, previous)) }
        if let sync = member.pendingSync {
            effects.append(.synced(sync, SyncGroupResponse(errorCode: .fencedInstanceID)))
        }
        let formerLeader = self.leader
        member.id = id
        member.clientID = context.clientID
        member.clientHost = context.clientHost
        member.protocols = offers
        member.sessionTimeout = Int64(request.sessionTimeoutMs)
        member.rebalanceTimeout = Int64(request.effectiveRebalanceTimeoutMs)
        member.pendingJoin = nil
        member.pendingSync = nil
        self.members[id] = member
        self.staticMembers[request.groupInstanceID ?? ""] = id
        if self.leader == previous { self.leader = id }
        self.touch(id, at: now)
        self.revision += 1
        if self.phase == .stable, self.electProtocol() == self.protocolName {
            // Nothing changes for the others. A leader of an old version does not learn that it is the leader, because
            // it would compute a new assignment (KIP-814).
            var response = self.joinResponse(for: id)
            if self.leader == id {
                response.skipAssignment = context.knowsSkipAssignment
                if !context.knowsSkipAssignment {
                    response.leader = formerLeader ?? ""
                    response.members = []
                }
            }
            return effects + [.joined(context.token, response)]
        }
        self.members[id]?.pendingJoin = context.token
        return effects + self.prepareRebalance(initialDelay: context.initialDelay, at: now)
    }
}

extension JoinGroupRequest {
    /// Version 0 has no rebalance time-out of its own.
    fileprivate var effectiveRebalanceTimeoutMs: Int32 {
        self.rebalanceTimeoutMs < 0 ? self.sessionTimeoutMs : self.rebalanceTimeoutMs
    }
}
