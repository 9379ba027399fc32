import IntentEvents
import IntentRuntime
import Testing

@testable import KafkaLog

/// What a lane may read and commit.
struct LaneAssignmentTests {
    private static let partitions = (0..<3).map { TopicPartition("t", $0) }
    private static let assignment = LaneAssignment(
        committed: [partitions[0]: 5, partitions[1]: nil, partitions[2]: 7],
        membership: [1, 2, 3]
    )

    @Test func readsFromGivenOrCommittedOffset() throws {
        let offsets = try Self.assignment.start(at: [Self.partitions[0]: 6, Self.partitions[2]: nil])
        #expect(offsets == [Self.partitions[0]: 6, Self.partitions[1]: -2, Self.partitions[2]: -2])
        let committed = try Self.assignment.start(at: [:])
        #expect(committed == [Self.partitions[0]: 5, Self.partitions[1]: -2, Self.partitions[2]: 7])
        #expect(throws: LogError.self) { try Self.assignment.start(at: [TopicPartition("t", 3): 0]) }
    }

    @Test func commitAppliesToThisAssignmentOnly() throws {
        try Self.assignment.check([Self.partitions[0]: 1], membership: [1, 2, 3])
        let older = #expect(throws: LogError.self) {
            try Self.assignment.check([Self.partitions[0]: 1], membership: [1, 2, 4])
        }
        #expect(older?.code == .fenced)
        let foreign = #expect(throws: LogError.self) {
            try Self.assignment.check([TopicPartition("t", 3): 1], membership: [1, 2, 3])
        }
        #expect(foreign?.code == .fenced)
        let none = #expect(throws: LogError.self) { try LaneAssignment().check([:], membership: [1]) }
        #expect(none?.code == .fenced)
    }

    @Test func resumesOnlyPausedPartitions() {
        var assignment = Self.assignment
        #expect(assignment.resume(Self.partitions) == [])
        #expect(
            assignment.pause([Self.partitions[0], Self.partitions[1]]) == [Self.partitions[0], Self.partitions[1]]
        )
        #expect(assignment.pause([Self.partitions[1], Self.partitions[2]]) == [Self.partitions[2]])
        #expect(assignment.pause([TopicPartition("t", 3)]) == [])
        #expect(assignment.resume([Self.partitions[0]]) == [Self.partitions[0]])
        #expect(assignment.resume(Self.partitions) == [Self.partitions[1], Self.partitions[2]])
    }
}
