import NIOCore

extension ConsumerGroup {
    /// Handles a SyncGroup; followers wait for the leader's SyncGroup.
    mutating func sync(_ request: SyncGroupRequest, token: ReplyToken, at now: BrokerTime) -> [Effect] {
        func refuse(_ code: ErrorCode) -> [Effect] { [.synced(token, SyncGroupResponse(errorCode: code))] }
        let id = request.memberID
        let refusal = self.refusal(
            memberID: id,
            instanceID: request.groupInstanceID,
            generation: request.generationID
        )
        if let refusal { return refuse(refusal) }
        if let type = request.protocolType, type != self.protocolType { return refuse(.inconsistentGroupProtocol) }
        if let name = request.protocolName, name != self.protocolName { return refuse(.inconsistentGroupProtocol) }
        self.touch(id, at: now)
        switch self.phase {
        case .empty:
            return refuse(.unknownMemberID)
        case .preparingRebalance:
            return refuse(.rebalanceInProgress)
        case .stable:
            return [.synced(token, self.syncResponse(for: id))]
        case .completingRebalance:
            var effects: [Effect] = []
            if let earlier = self.members[id]?.pendingSync {
                effects.append(.synced(earlier, SyncGroupResponse(errorCode: .rebalanceInProgress)))
            }
            self.members[id]?.pendingSync = token
            return id == self.leader ? effects + self.assign(request.assignments, at: now) : effects
        }
    }

    private mutating func assign(_ assignments: [SyncGroupRequest.Assignment], at now: BrokerTime) -> [Effect] {
        for assignment in assignments {
            self.members[assignment.memberID]?.assignment = ByteBuffer(buffer: assignment.assignment)
        }
        self.phase = .stable
        self.revision += 1
        var effects: [Effect] = []
        for id in self.members.keys.sorted() {
            guard let token = self.members[id]?.pendingSync else { continue }
            self.members[id]?.pendingSync = nil
            self.touch(id, at: now)
            effects.append(.synced(token, self.syncResponse(for: id)))
        }
        return effects
    }

    private func syncResponse(for id: Name) -> SyncGroupResponse {
        SyncGroupResponse(
            protocolType: self.protocolType,
            protocolName: self.protocolName,
            assignment: self.members[id]?.assignment ?? ByteBuffer()
        )
    }

    mutating func heartbeat(_ request: HeartbeatRequest, at now: BrokerTime) -> ErrorCode {
        let refusal = self.refusal(
            memberID: request.memberID,
            instanceID: request.groupInstanceID,
            generation: request.generationID
        )
        if let refusal { return refusal }
        self.touch(request.memberID, at: now)
        switch self.phase {
        case .empty: return .unknownMemberID
        case .preparingRebalance: return .rebalanceInProgress
        case .completingRebalance, .stable: return .none
        }
    }
}
