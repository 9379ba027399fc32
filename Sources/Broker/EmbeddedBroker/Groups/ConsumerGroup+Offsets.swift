extension ConsumerGroup {
    /// The sender of an offset commit.
    struct Committer: Sendable {
        /// The generation, or -1 for a client that manages its partitions itself.
        var generation: Int32
        /// The member id, or empty.
        var memberID: Name
        /// The static member's name.
        var instanceID: Name?
        /// Whether a transaction commits (KIP-447): without group metadata that is always allowed.
        var isTransactional: Bool
    }

    /// The error if this committer may not commit now; nil if it may.
    mutating func refusal(of committer: Committer, at now: BrokerTime) -> ErrorCode? {
        let isAnonymous =
            committer.generation < 0 && committer.memberID.isEmpty && committer.instanceID == nil
        if isAnonymous {
            return committer.isTransactional || self.members.isEmpty ? nil : .unknownMemberID
        }
        if committer.generation < 0, self.members.isEmpty { return nil }
        let refusal = self.refusal(
            memberID: committer.memberID,
            instanceID: committer.instanceID,
            generation: committer.generation
        )
        if let refusal { return refusal }
        if !committer.isTransactional { self.touch(committer.memberID, at: now) }
        switch self.phase {
        case .empty, .preparingRebalance, .stable: return nil
        case .completingRebalance: return .rebalanceInProgress
        }
    }
}
