import NIOCore

/// One consumer group: its members, its generation, its committed offsets.
///
/// A value without I/O: transitions take the time and return the effects that the caller carries out.
struct ConsumerGroup: Sendable {
    /// The group's name.
    let id: Name
    /// Where it is between two generations.
    var phase: Phase = .empty
    /// Counts the rebalances.
    var generation: Int32 = 0
    /// What kind of group it is, `consumer` as a rule; nil before the first member.
    var protocolType: Name?
    /// The assignment protocol of this generation.
    var protocolName: Name?
    /// The member that computes the assignment.
    var leader: Name?
    /// The members by id.
    var members: [Name: GroupMember] = [:]
    /// The ids of static members by their instance ids.
    var staticMembers: [Name: Name] = [:]
    /// Ids that were given out and have not joined yet, with the time up to which they are good (KIP-394).
    var pendingMembers: [Name: Int64] = [:]
    /// The committed offsets.
    var offsets: [TopicPartition: CommittedOffset] = [:]
    /// Rises whenever something that has to survive a restart changes, offsets excepted.
    var revision: UInt64 = 0

    /// A group without members.
    init(id: Name) {
        self.id = id
    }

    /// Where a group is between two generations.
    enum Phase: Sendable, Equatable {
        /// No members. A join leads to `preparingRebalance`.
        case empty
        /// Waits for the members to join. Leads to `completingRebalance` when all have or the time is up, to `empty`
        /// when none is left. `earliest` holds the first generation back for others to arrive.
        case preparingRebalance(earliest: Int64, deadline: Int64)
        /// Waits for the leader's assignment. Leads to `stable` with it, to `preparingRebalance` when a member comes,
        /// goes or is not back in time.
        case completingRebalance(deadline: Int64)
        /// Everybody has an assignment. Leads to `preparingRebalance` when a member comes, goes or changes.
        case stable
    }

    /// What the caller has to do after a transition.
    enum Effect: Sendable {
        /// Answer a JoinGroup.
        case joined(ReplyToken, JoinGroupResponse)
        /// Answer a SyncGroup.
        case synced(ReplyToken, SyncGroupResponse)
    }

    /// About how many bytes the members take.
    var byteCount: Int { self.members.values.reduce(128 * self.pendingMembers.count) { $0 + $1.byteCount } }

    /// Whether nothing would be lost with it.
    var isDispensable: Bool { self.members.isEmpty && self.pendingMembers.isEmpty && self.offsets.isEmpty }

    /// The name that DescribeGroups and ListGroups show.
    var stateName: String {
        switch self.phase {
        case .empty: "Empty"
        case .preparingRebalance: "PreparingRebalance"
        case .completingRebalance: "CompletingRebalance"
        case .stable: "Stable"
        }
    }

    /// Whether the request comes from a current member; nil is yes (KIP-345 for the static ones).
    func refusal(memberID: Name, instanceID: Name?) -> ErrorCode? {
        if let instanceID {
            guard let current = self.staticMembers[instanceID] else { return .unknownMemberID }
            if current != memberID { return .fencedInstanceID }
        }
        return self.members[memberID] == nil ? .unknownMemberID : nil
    }

    /// Whether the request comes from a current member in the current generation; nil is yes.
    func refusal(memberID: Name, instanceID: Name?, generation: Int32) -> ErrorCode? {
        if let refusal = self.refusal(memberID: memberID, instanceID: instanceID) { return refusal }
        return generation == self.generation ? nil : .illegalGeneration
    }

    /// The protocol that all members know and most prefer; nil when there is no common one.
    func electProtocol() -> Name? {
        let members = self.members.values
        var votes: [Name: Int] = [:]
        for member in members {
            let choice = member.protocols.first { offer in
                members.allSatisfy { other in other.protocols.contains { $0.name == offer.name } }
            }
            if let choice { votes[choice.name, default: 0] += 1 }
        }
        return votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Sets a member's session off anew.
    mutating func touch(_ memberID: Name, at now: BrokerTime) {
        guard let timeout = self.members[memberID]?.sessionTimeout else { return }
        self.members[memberID]?.expiry = now.monotonic + timeout
    }
}
