import NIOCore

/// One consumer group: its members, its generation, its committed offsets.
///
/// A value without I/O: transitions receive the time and return the effects that the caller carries out.
struct ConsumerGroup: Sendable {
    let id: Name
    var phase: Phase = .empty
    /// The number of rebalances.
    var generation: Int32 = 0
    /// The protocol type, usually `consumer`; nil before the first member.
    var protocolType: Name?
    /// The assignment protocol of this generation.
    var protocolName: Name?
    /// The member that computes the assignment.
    var leader: Name?
    var members: [Name: GroupMember] = [:]
    /// The ids of static members by their instance ids.
    var staticMembers: [Name: Name] = [:]
    /// Ids that were handed out and have not joined yet, with the time at which they expire (KIP-394).
    var pendingMembers: [Name: Int64] = [:]
    var offsets: [TopicPartition: CommittedOffset] = [:]
    /// Increases whenever something changes that must survive a restart, except offsets.
    var revision: UInt64 = 0

    init(id: Name) {
        self.id = id
    }

    /// The phases between two generations.
    enum Phase: Sendable, Equatable {
        /// No members. A join leads to `preparingRebalance`.
        case empty
        /// Waits for the members to join.
        ///
        /// Leads to `completingRebalance` when all have joined or the time is up, and to `empty` when none is left.
        /// `earliest` delays the first generation until other members have arrived.
        case preparingRebalance(earliest: Int64, deadline: Int64)
        /// Waits for the leader's assignment.
        ///
        /// Leads to `stable` with it, and to `preparingRebalance` when a member joins, leaves or is not back in time.
        case completingRebalance(deadline: Int64)
        /// All members have an assignment.
        ///
        /// Leads to `preparingRebalance` when a member joins, leaves or changes.
        case stable
    }

    /// What the caller has to do after a transition.
    enum Effect: Sendable {
        /// Answer a JoinGroup.
        case joined(ReplyToken, JoinGroupResponse)
        /// Answer a SyncGroup.
        case synced(ReplyToken, SyncGroupResponse)
    }

    /// The approximate number of bytes that the members take.
    var byteCount: Int { self.members.values.reduce(128 * self.pendingMembers.count) { $0 + $1.byteCount } }

    /// Whether the group may be dropped without losing anything.
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

    /// The error unless the request comes from a current member; nil if it does (KIP-345 for static members).
    func refusal(memberID: Name, instanceID: Name?) -> ErrorCode? {
        if let instanceID {
            guard let current = self.staticMembers[instanceID] else { return .unknownMemberID }
            if current != memberID { return .fencedInstanceID }
        }
        return self.members[memberID] == nil ? .unknownMemberID : nil
    }

    /// The error unless the request comes from a current member in the current generation; nil if it does.
    func refusal(memberID: Name, instanceID: Name?, generation: Int32) -> ErrorCode? {
        if let refusal = self.refusal(memberID: memberID, instanceID: instanceID) { return refusal }
        return generation == self.generation ? nil : .illegalGeneration
    }

    /// The protocol that all members know and most prefer; nil when they have none in common.
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

    /// Restarts a member's session time-out.
    mutating func touch(_ memberID: Name, at now: BrokerTime) {
        guard let timeout = self.members[memberID]?.sessionTimeout else { return }
        self.members[memberID]?.expiry = now.monotonic + timeout
    }
}
