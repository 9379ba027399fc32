import CRDKafka
import IntentRuntime

/// What a lane may read and commit between two changes of assignment.
struct LaneAssignment {
    /// The partitions with the offsets that the group had committed.
    private var committed: [TopicPartition: Int64?] = [:]
    /// The membership at the assignment; nil without one.
    private var membership: [UInt8]?
    private var paused: Set<TopicPartition> = []

    init() {}

    init(committed: [TopicPartition: Int64?], membership: [UInt8]) {
        self.committed = committed
        self.membership = membership
    }

    /// The start offsets; a partition that the caller does not name begins at its committed offset.
    func start(at offsets: [TopicPartition: Int64?]) throws(LogError) -> [TopicPartition: Int64] {
        if let foreign = offsets.keys.first(where: { self.committed[$0] == nil }) {
            throw LogError(.other, "\(foreign) is not assigned to this lane")
        }
        return Dictionary(
            uniqueKeysWithValues: self.committed.map { topicPartition, committed in
                let offset = offsets[topicPartition] ?? committed
                return (topicPartition, offset ?? Int64(RD_KAFKA_OFFSET_BEGINNING))
            }
        )
    }

    /// Whether the membership is still that of the assignment.
    func holds(_ membership: [UInt8]) -> Bool { self.membership == membership }

    /// Checks that a commit belongs to this assignment and to no other.
    /// - Throws: ``LogError``, `fenced`.
    func check(_ offsets: [TopicPartition: Int64], membership: [UInt8]) throws(LogError) {
        guard self.holds(membership) else {
            throw LogError(.fenced, "the group has rebalanced without this lane")
        }
        if let foreign = offsets.keys.first(where: { self.committed[$0] == nil }) {
            throw LogError(.fenced, "\(foreign) is not assigned to this lane")
        }
    }

    /// The partitions that were not paused before.
    mutating func pause(_ partitions: [TopicPartition]) -> [TopicPartition] {
        partitions.filter { self.committed[$0] != nil && self.paused.insert($0).inserted }
    }

    /// The partitions that were paused.
    mutating func resume(_ partitions: [TopicPartition]) -> [TopicPartition] {
        partitions.filter { self.paused.remove($0) != nil }
    }
}
