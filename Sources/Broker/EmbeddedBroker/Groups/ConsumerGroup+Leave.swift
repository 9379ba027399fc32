extension ConsumerGroup {
    /// Removes one member at its own request; a static one can be named by its instance id alone (KIP-345).
    mutating func leave(memberID: Name, instanceID: Name?, at now: BrokerTime) -> (ErrorCode, [Effect]) {
        if self.pendingMembers.removeValue(forKey: memberID) != nil {
            return (.none, self.completeJoinIfReady(at: now))
        }
        var id = memberID
        if let instanceID {
            guard let current = self.staticMembers[instanceID] else { return (.unknownMemberID, []) }
            if !memberID.isEmpty, memberID != current { return (.fencedInstanceID, []) }
            id = current
        }
        guard self.members[id] != nil else { return (.unknownMemberID, []) }
        return (.none, self.remove(id, at: now))
    }

    /// Removes a member and starts a rebalance among the others.
    mutating func remove(_ id: Name, at now: BrokerTime) -> [Effect] {
        guard let member = self.members.removeValue(forKey: id) else { return [] }
        var effects: [Effect] = []
        if let join = member.pendingJoin { effects.append(Self.refuse(join, .unknownMemberID, id)) }
        if let sync = member.pendingSync {
            effects.append(.synced(sync, SyncGroupResponse(errorCode: .unknownMemberID)))
        }
        if let instanceID = member.instanceID, self.staticMembers[instanceID] == id {
            self.staticMembers[instanceID] = nil
        }
        if self.leader == id { self.leader = self.members.keys.min() }
        self.revision += 1
        switch self.phase {
        case .empty:
            return effects
        case .preparingRebalance:
            return effects + self.completeJoinIfReady(at: now)
        case .completingRebalance, .stable:
            if self.members.isEmpty, self.pendingMembers.isEmpty {
                self.becomeEmpty()
                return effects
            }
            return effects + self.prepareRebalance(at: now)
        }
    }

    /// Handles expired time-outs: ended sessions, unused ids, join and sync phases.
    mutating func tick(at now: BrokerTime) -> [Effect] {
        var effects: [Effect] = []
        self.pendingMembers = self.pendingMembers.filter { $0.value > now.monotonic }
        for member in self.members.values.sorted(by: { $0.id < $1.id }) where !member.isWaiting {
            if member.expiry <= now.monotonic { effects += self.remove(member.id, at: now) }
        }
        effects += self.completeJoinIfReady(at: now)
        if case .completingRebalance(let deadline) = self.phase, deadline <= now.monotonic {
            // Members that have not asked for their assignment in time are removed (as KIP-394 does in the join phase).
            for id in self.members.values.filter({ $0.pendingSync == nil }).map(\.id).sorted() {
                effects += self.remove(id, at: now)
            }
        }
        return effects
    }

    /// The time at which `tick(at:)` next has something to do, on the monotonic clock; nil when nothing is due.
    var nextDeadline: Int64? {
        var deadline = self.pendingMembers.values.min() ?? .max
        for member in self.members.values where !member.isWaiting { deadline = min(deadline, member.expiry) }
        switch self.phase {
        case .empty, .stable:
            break
        case .preparingRebalance(let earliest, let end):
            let everybody = self.pendingMembers.isEmpty && self.members.values.allSatisfy { $0.pendingJoin != nil }
            deadline = min(deadline, everybody ? min(earliest, end) : end)
        case .completingRebalance(let end):
            deadline = min(deadline, end)
        }
        return deadline == .max ? nil : deadline
    }
}
