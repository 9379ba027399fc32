/// All consumer groups.
///
/// Its methods return the effects that the caller has to carry out.
struct ConsumerGroups {
    let store: LogStore
    let configuration: EmbeddedBroker.Configuration
    private var byID: [Name: ConsumerGroup]
    /// Bytes of all committed offsets.
    private(set) var offsetBytes: Int
    /// Groups that have changed in this round.
    private var touched: Set<Name> = []
    /// The revision of each group that the store has.
    private var savedRevisions: [Name: UInt64] = [:]
    /// The number of member ids that have been handed out.
    private var memberCount: UInt64 = 0

    /// Recovers the groups from the store.
    init(_ store: LogStore, _ configuration: EmbeddedBroker.Configuration, at now: BrokerTime) throws {
        self.store = store
        self.configuration = configuration
        self.byID = try store.groups(at: now)
        self.offsetBytes = self.byID.values.reduce(0) { $1.offsets.values.reduce($0) { $0 + $1.byteCount } }
    }

    var count: Int { self.byID.count }

    var values: Dictionary<Name, ConsumerGroup>.Values { self.byID.values }

    subscript(id: Name) -> ConsumerGroup? { self.byID[id] }

    /// Changes a group in place; creates it if there is none.
    mutating func update<Result>(_ id: Name, _ change: (inout ConsumerGroup) -> Result) -> Result {
        var group = self.byID.removeValue(forKey: id) ?? ConsumerGroup(id: id)
        let result = change(&group)
        self.byID[id] = group
        self.touched.insert(id)
        return result
    }

    /// Drops a group, in the store too.
    mutating func drop(_ id: Name) throws {
        let group = self.byID.removeValue(forKey: id)
        self.offsetBytes -= group?.offsets.values.reduce(0) { $0 + $1.byteCount } ?? 0
        self.touched.remove(id)
        self.savedRevisions[id] = nil
        try self.store.dropGroup(id)
    }

    mutating func dropDispensable() throws {
        for (id, group) in self.byID where group.isDispensable { try self.drop(id) }
    }

    /// An id for a new member.
    mutating func freshMemberID(_ context: RequestContext, instanceID: Name?) -> Name {
        self.memberCount += 1
        let id = TopicID.random()
        // A name that the client chose may be long; the part after it makes the id unique.
        let prefix = Name(String((instanceID?.text ?? context.clientID).prefix(64)))
        return "\(prefix)-\(String(id.high, radix: 16))\(String(self.memberCount, radix: 16))"
    }

    /// The error if this committer may not commit now; nil if it may.
    ///
    /// The first commit of a client that manages its partitions itself creates the group.
    mutating func refusal(
        of committer: ConsumerGroup.Committer,
        group: Name,
        _ notices: inout Notices,
        at now: BrokerTime
    ) -> ErrorCode? {
        if self.byID[group] == nil {
            if committer.generation >= 0 { return .illegalGeneration }
            guard group.isSound else { return .invalidGroupID }
            let limit = self.configuration.limits.groups
            guard notices.allows(self.count, of: "groups", limit: limit, at: now) else { return .policyViolation }
            self.create(group)
        }
        return self.byID[group]?.refusal(of: committer, at: now)
    }

    /// The error if there is no room for this many more bytes of committed offsets; nil if there is.
    func refusal(ofBytes bytes: Int, _ notices: inout Notices, at now: BrokerTime) -> ErrorCode? {
        let limit = self.configuration.limits.offsetBytes
        return notices.allows(self.offsetBytes + bytes - 1, of: "bytes of committed offsets", limit: limit, at: now)
            ? nil : .invalidCommitOffsetSize
    }

    /// Makes an offset visible.
    mutating func set(_ committed: CommittedOffset, group: Name, _ partition: TopicPartition) throws {
        if self.byID[group] == nil { self.create(group) }
        let before = self.byID[group]?.offsets.updateValue(committed, forKey: partition)
        self.offsetBytes += committed.byteCount - (before?.byteCount ?? 0)
        try self.store.save(committed, group: group, partition: partition)
    }

    mutating func dropOffset(group: Name, _ partition: TopicPartition) throws {
        let before = self.byID[group]?.offsets.removeValue(forKey: partition)
        self.offsetBytes -= before?.byteCount ?? 0
        try self.store.dropOffset(group: group, partition: partition)
    }

    /// Drops all offsets of a deleted topic.
    mutating func dropOffsets(of topic: Name) throws {
        for id in Array(self.byID.keys) {
            for partition in self.byID[id]?.offsets.keys.filter({ $0.topic == topic }) ?? [] {
                try self.dropOffset(group: id, partition)
            }
        }
    }

    func setTimers(_ deadlines: inout DeadlineQueue) {
        for group in self.byID.values { Self.setTimer(for: group, &deadlines) }
    }

    /// Writes the groups that have changed in this round, and sets their timers.
    mutating func save(_ deadlines: inout DeadlineQueue) throws {
        for id in self.touched {
            guard let group = self.byID[id] else { continue }
            Self.setTimer(for: group, &deadlines)
            guard self.savedRevisions[id] != group.revision else { continue }
            self.savedRevisions[id] = group.revision
            try self.store.save(group)
        }
        self.touched.removeAll(keepingCapacity: true)
    }

    private mutating func create(_ id: Name) {
        self.byID[id] = ConsumerGroup(id: id)
        self.touched.insert(id)
    }

    private static func setTimer(for group: ConsumerGroup, _ deadlines: inout DeadlineQueue) {
        if let deadline = group.nextDeadline { deadlines.add(.group(group.id), at: deadline) }
    }
}
