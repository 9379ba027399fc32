import NIOCore

extension ConsumerGroup {
    /// Begins a join phase, or continues the current one.
    mutating func prepareRebalance(initialDelay: Int64 = 0, at now: BrokerTime) -> [Effect] {
        var effects: [Effect] = []
        switch self.phase {
        case .preparingRebalance:
            break
        case .empty, .completingRebalance, .stable:
            for id in self.members.keys.sorted() {
                self.members[id]?.assignment = ByteBuffer()
                guard let sync = self.members[id]?.pendingSync else { continue }
                self.members[id]?.pendingSync = nil
                self.touch(id, at: now)
                effects.append(.synced(sync, SyncGroupResponse(errorCode: .rebalanceInProgress)))
            }
            let delay = self.phase == .empty ? initialDelay : 0
            let timeout = self.members.values.map(\.rebalanceTimeout).max() ?? 0
            let deadline = now.monotonic + max(timeout, delay)
            self.phase = .preparingRebalance(earliest: now.monotonic + delay, deadline: deadline)
        }
        return effects + self.completeJoinIfReady(at: now)
    }

    /// Ends the join phase when all members have joined or the time is up.
    mutating func completeJoinIfReady(at now: BrokerTime) -> [Effect] {
        guard case .preparingRebalance(let earliest, let deadline) = self.phase else { return [] }
        let everybody = self.pendingMembers.isEmpty && self.members.values.allSatisfy { $0.pendingJoin != nil }
        if now.monotonic >= deadline {
            return self.completeJoin(at: now)
        }
        return everybody && now.monotonic >= earliest ? self.completeJoin(at: now) : []
    }

    private mutating func completeJoin(at now: BrokerTime) -> [Effect] {
        // Dynamic members that have not joined are removed; static ones stay until their session ends (KIP-345).
        for member in self.members.values where member.pendingJoin == nil && member.instanceID == nil {
            self.members[member.id] = nil
        }
        self.pendingMembers = [:]
        let joined = self.members.values.filter { $0.pendingJoin != nil }.map(\.id).sorted()
        guard !self.members.isEmpty else {
            self.becomeEmpty()
            return []
        }
        if self.leader.flatMap({ self.members[$0]?.pendingJoin }) == nil {
            guard let first = joined.first else {
                // Only absent static members are left: wait for them once more.
                let deadline = now.monotonic + (self.members.values.map(\.rebalanceTimeout).max() ?? 0)
                self.phase = .preparingRebalance(earliest: now.monotonic, deadline: deadline)
                return []
            }
            self.leader = first
        }
        self.generation = self.generation == .max ? 1 : self.generation + 1
        self.protocolName = self.electProtocol()
        let deadline = now.monotonic + (self.members.values.map(\.rebalanceTimeout).max() ?? 0)
        self.phase = .completingRebalance(deadline: deadline)
        self.revision += 1
        var effects: [Effect] = []
        for id in joined {
            guard let token = self.members[id]?.pendingJoin else { continue }
            self.members[id]?.pendingJoin = nil
            self.touch(id, at: now)
            effects.append(.joined(token, self.joinResponse(for: id)))
        }
        return effects
    }

    /// Forgets the members, but keeps generation and offsets.
    mutating func becomeEmpty() {
        self.members = [:]
        self.staticMembers = [:]
        self.leader = nil
        self.protocolName = nil
        self.generation = self.generation == .max ? 1 : self.generation + 1
        self.phase = .empty
        self.revision += 1
    }

    /// The answer to a JoinGroup in this generation; the leader gets the members' subscriptions.
    func joinResponse(for id: Name) -> JoinGroupResponse {
        var response = JoinGroupResponse(
            generationID: self.generation,
            protocolType: self.protocolType,
            protocolName: self.protocolName ?? "",
            leader: self.leader ?? "",
            memberID: id
        )
        if id == self.leader {
            response.members = self.members.values.sorted { $0.id < $1.id }
                .map { member in
                    JoinGroupResponse.Member(
                        memberID: member.id,
                        groupInstanceID: member.instanceID,
                        metadata: member.metadata(for: self.protocolName ?? "")
                    )
                }
        }
        return response
    }

    static func refuse(_ token: ReplyToken, _ code: ErrorCode, _ memberID: Name) -> Effect {
        .joined(token, JoinGroupResponse(errorCode: code, protocolName: "", memberID: memberID))
    }
}
