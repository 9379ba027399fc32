import IntentRuntime

/// One lane as its group sees it.
struct MemberState {
    /// How far the lane is with its assignment.
    enum Phase {
        /// Waits for the group to assign. Goes to `offered`.
        case joining
        /// Was given partitions that its poll has not told of. Goes to `assigned`, or back to `joining`.
        case offered(Set<TopicPartition>)
        /// Knows its partitions and restores their state. Goes to `started` or `revoking`.
        case assigned(Set<TopicPartition>)
        /// Reads. Goes to `revoking`.
        case started(Set<TopicPartition>)
        /// The group wants these back, or has taken them (`lost`). Goes to `joining` when the lane releases them.
        case revoking(Set<TopicPartition>, lost: Bool, told: Bool)
        /// It is not known what became of a commit. Final.
        case failed
    }

    /// What the lane was made with.
    let configuration: LaneConfiguration
    /// How far it is.
    var phase = Phase.joining
    /// The next offset of each partition that it reads.
    var positions: [TopicPartition: Int64] = [:]
    /// Those that it does not read for now.
    var paused: Set<TopicPartition> = []
    /// Which of its partitions is read first next time, so that a busy one does not starve the rest.
    var turn = 0

    /// A lane that has just joined.
    init(_ configuration: LaneConfiguration) {
        self.configuration = configuration
    }

    /// The partitions that the lane may commit.
    var owned: Set<TopicPartition> {
        switch self.phase {
        case .assigned(let partitions), .started(let partitions), .revoking(let partitions, lost: false, _):
            partitions
        case .joining, .offered, .revoking, .failed:
            []
        }
    }

    /// Where reading has got to; empty before the start.
    var startedPositions: [TopicPartition: Int64] {
        if case .started = self.phase { self.positions } else { [:] }
    }

    /// Whether the group has to wait for this lane before it can assign anew.
    var holdsUp: Bool {
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
