import IntentEvents
import IntentRuntime
import Testing

@testable import KafkaLog

/// What a lane may read and commit.
struct LaneAssignmentTests {
    private static let places = (0..<3).map { TopicPartition("t", $0) }
    private static let assignment = LaneAssignment(
        committed: [places[0]: 5, places[1]: nil, places[2]: 7],
        membership: [1, 2, 3]
    )

    @Test func readsFromGivenOrCommittedOffset() throws {
        let offsets = try Self.assignment.start(at: [Self.places[0]: 6, Self.places[2]: nil])
        #expect(offsets == [Self.places[0]: 6, Self.places[1]: -2, Self.places[2]: -2])
        let committed = try Self.assignment.start(at: [:])
        #expect(committed == [Self.places[0]: 5, Self.places[1]: -2, Self.places[2]: 7])
        #expect(throws: LogError.self) { try Self.assignment.start(at: [TopicPartition("t", 3): 0]) }
    }

    @Test func commitAppliesToThisAssignmentOnly() throws {
        try Self.assignment.check([Self.places[0]: 1], membership: [1, 2, 3])
        let older = #expect(throws: LogError.self) {
            try Self.assignment.check([Self.places[0]: 1], membership: [1, 2, 4])
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
        #expect(assignment.resume(Self.places) == [])
        #expect(assignment.pause([Self.places[0], Self.places[1]]) == [Self.places[0], Self.places[1]])
        #expect(assignment.pause([Self.places[1], Self.places[2]]) == [Self.places[2]])
        #expect(assignment.pause([TopicPartition("t", 3)]) == [])
        #expect(assignment.resume([Self.places[0]]) == [Self.places[0]])
        #expect(assignment.resume(Self.places) == [Self.places[1], Self.places[2]])
    }
}
