import IntentEvents
import IntentRuntime

extension LogState {
    /// Adds a lane to its group; a lane of the same name is fenced, and the new lane gets its partitions.
    mutating func join(
        _ configuration: LaneConfiguration
    ) throws(LogError) -> (id: ClientID, rebalance: Int?, wake: Set<ClientID>) {
        try self.checkOpen()
        for topic in configuration.topics where self.topics[topic] == nil {
            throw LogError(.unknownTopic, "unknown topic \(topic)")
        }
        let id = self.makeClientID()
        self.groupOfLane[id] = configuration.group
        var group = self.groups[configuration.group] ?? GroupState()
        defer { self.groups[configuration.group] = group }
        var member = MemberState(configuration)
        let old = group.members.first { $0.value.configuration.name == configuration.name }
        if let (oldID, old) = old {
            group.members[oldID] = nil
            self.fenced.insert(oldID)
            switch old.phase {
            case .offered(let partitions), .assigned(let partitions), .started(let partitions):
                if old.configuration.topics == configuration.topics {
                    // A static member that comes back gets the partitions that it had, and the others notice nothing.
                    member.phase = .offered(partitions)
                    group.members[id] = member
                    return (id, nil, [oldID])
                }
            case .joining, .revoking, .failed:
                break
            }
        }
        group.members[id] = member
        let generation = group.rebalance()
        group.assignIfReady(partitions: self.partitionCount)
        return (id, generation, Set(group.members.keys).union(old.map { [$0.key] } ?? []))
    }

    /// The events that there are for a lane.
    mutating func poll(_ id: ClientID, maxRecords: Int) throws(LogError) -> [LaneEvent] {
        let group = try self.group(of: id)
        guard var member = self.groups[group]?.members[id] else { return [] }
        defer { self.groups[group]?.members[id] = member }
        switch member.phase {
        case .joining, .assigned, .revoking(_, _, notified: true), .failed:
            return []
        case .offered(let partitions):
            member.phase = .assigned(partitions)
            let committed = self.groups[group]?.committed ?? [:]
            let offsets = partitions.map { ($0, committed[$0]) }
            return [.assigned(Dictionary(uniqueKeysWithValues: offsets))]
        case .revoking(let partitions, let lost, notified: false):
            member.phase = .revoking(partitions, lost: lost, notified: true)
            return [.revoked(partitions.sorted(), lost: lost)]
        case .started:
            try self.check(member.positions)
            let records = self.read(&member.positions, paused: member.paused, turn: member.turn, limit: maxRecords)
            member.turn += 1
            return records.isEmpty ? [] : [.records(records)]
        }
    }

    /// Begins to read the assigned partitions.
    mutating func start(_ id: ClientID, at offsets: [TopicPartition: Int64?]) throws(LogError) {
        let group = try self.group(of: id)
        guard let member = self.groups[group]?.members[id] else { return }
        // A lane whose partitions were revoked meanwhile is notified by its next poll.
        guard case .assigned(let partitions) = member.phase else { return }
        if let foreign = offsets.keys.first(where: { !partitions.contains($0) }) {
            throw LogError(.other, "\(foreign) is not assigned to this lane")
        }
        var positions: [TopicPartition: Int64] = [:]
        for topicPartition in partitions {
            let named: Int64?? = offsets[topicPartition]
            let offset = named ?? self.groups[group]?.committed[topicPartition]
            let start = try self.partition(topicPartition).start
            positions[topicPartition] = offset ?? start
        }
        self.groups[group]?.members[id]?.positions = positions
        self.groups[group]?.members[id]?.paused = []
        self.groups[group]?.members[id]?.phase = .started(partitions)
    }

    /// Accepts the partitions that a lane had to give back; returns the clients to wake, and the rebalance that
    /// this begins, if any.
    mutating func release(_ id: ClientID) throws(LogError) -> (rebalance: Int?, wake: Set<ClientID>) {
        let name = try self.group(of: id)
        guard var group = self.groups[name], let member = group.members[id] else { return (nil, []) }
        defer { self.groups[name] = group }
        guard case .revoking(_, let lost, _) = member.phase else { return (nil, []) }
        group.members[id]?.phase = .joining
        group.members[id]?.positions = [:]
        group.members[id]?.paused = []
        // A lane that has lost its partitions joins again, and the others have to give up partitions for it.
        let generation = lost ? group.rebalance() : nil
        group.assignIfReady(partitions: self.partitionCount)
        return (generation, Set(group.members.keys))
    }

    /// Removes a lane; returns the clients to wake, and the rebalance that this begins, if any.
    mutating func leave(_ id: ClientID) -> (group: GroupName, rebalance: Int?, wake: Set<ClientID>)? {
        guard let name = self.groupOfLane.removeValue(forKey: id) else { return nil }
        self.fenced.remove(id)
        guard self.groups[name]?.members.removeValue(forKey: id) != nil, !self.clients(in: name).isEmpty else {
            return nil
        }
        let (generation, wake) = self.rebalance(name)
        return (name, generation, wake)
    }

    /// Begins a rebalance of a group; returns its generation, and the clients to wake.
    mutating func rebalance(_ name: GroupName) -> (generation: Int?, wake: Set<ClientID>) {
        guard var group = self.groups[name] else { return (nil, []) }
        defer { self.groups[name] = group }
        let generation = group.rebalance()
        group.assignIfReady(partitions: self.partitionCount)
        return (generation, Set(group.members.keys))
    }

    func clients(in group: GroupName) -> Set<ClientID> { Set(self.groups[group]?.members.keys.map { $0 } ?? []) }

    /// Ends a rebalance that a member did not answer in time; returns the clients to wake.
    mutating func expire(_ name: GroupName, generation: Int) -> Set<ClientID> {
        guard var group = self.groups[name], group.generation == generation else { return [] }
        defer { self.groups[name] = group }
        group.expelSilent()
        group.assignIfReady(partitions: self.partitionCount)
        return Set(group.members.keys)
    }

    mutating func setPaused(_ isPaused: Bool, _ id: ClientID, _ partitions: [TopicPartition]) throws(LogError) {
        let group = try self.group(of: id)
        if isPaused {
            self.groups[group]?.members[id]?.paused.formUnion(partitions)
        } else {
            self.groups[group]?.members[id]?.paused.subtract(partitions)
        }
    }

    /// The group of a usable lane.
    /// - Throws: ``LogError``: `closed`, `fenced`, or `outcomeUnknown` after a commit that threw it.
    func group(of id: ClientID) throws(LogError) -> GroupName {
        guard let name = self.groupOfLane[id], !self.isClosed else { throw LogError(.closed, "the lane was closed") }
        guard !self.fenced.contains(id) else { throw LogError(.fenced, "another lane of the same name has taken over") }
        if case .failed = self.groups[name]?.members[id]?.phase {
            throw LogError(.outcomeUnknown, "the lane has failed and cannot be used again")
        }
        return name
    }

    func partitionCount(_ topic: TopicName) -> Int { self.topics[topic]?.partitions.count ?? 0 }
}
