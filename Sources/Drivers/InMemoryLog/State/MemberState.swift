import IntentRuntime

/// The state of one lane in its group.
struct MemberState {
    enum Phase {
        /// Waits for the group to assign. Goes to `offered`.
        case joining
        /// Was given partitions that its poll has not returned yet.
        ///
        /// Goes to `assigned`, or back to `joining`.
        case offered(Set<TopicPartition>)
        /// Knows its partitions and restores their state. Goes to `started` or `revoking`.
        case assigned(Set<TopicPartition>)
        /// Reads its partitions.
        ///
        /// Goes to `revoking`.
        case started(Set<TopicPartition>)
        /// The group wants these back, or has taken them (`lost`). Goes to `joining` when the lane releases them.
        case revoking(Set<TopicPartition>, lost: Bool, notified: Bool)
        /// The outcome of a commit is unknown.
        ///
        /// Final.
        case failed
    }

    let configuration: LaneConfiguration
    var phase = Phase.joining
    /// The next offset of each partition that it reads.
    var positions: [TopicPartition: Int64] = [:]
    /// The partitions that it does not read for now.
    var paused: Set<TopicPartition> = []
    /// Decides which of its partitions is read first next time, so that a busy one does not starve the rest.
    var turn = 0

    init(_ configuration: LaneConfiguration) { self.configuration = configuration }

    /// The partitions that the lane may commit.
    var owned: Set<TopicPartition> {
        switch self.phase {
        case .assigned(let partitions), .started(let partitions), .revoking(let partitions, lost: false, _):
            partitions
        case .joining, .offered, .revoking, .failed:
            []
        }
    }

    /// The positions that reading has reached; empty before the start.
    var startedPositions: [TopicPartition: Int64] {
        if case .started = self.phase { self.positions } else { [:] }
    }

    /// Whether the group must wait for this lane before it can assign again.
    var blocksRebalance: Bool {
        switch self.phase {
        case .assigned, .started, .revoking(_, lost: false, _): true
        case .joining, .offered, .revoking, .failed: false
        }
    }

    /// Whether the lane takes part in the next assignment.
    var takesPart: Bool {
        switch self.phase {
        case .joining, .offered: true
        case .assigned, .started, .revoking, .failed: false
        }
    }
}
