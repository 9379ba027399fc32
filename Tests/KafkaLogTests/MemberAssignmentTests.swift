import IntentEvents
import IntentRuntime
@testable import KafkaLog
import Testing

@Suite("Assignments and subscriptions of any client, as bytes")
struct MemberAssignmentTests {
    /// Version 1; `a` with 1 and 0, `bc` with 7; no user data.
    private static let bytes: [UInt8] =
        [0, 1, 0, 0, 0, 2]
        + [0, 1, 0x61, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]
        + [0, 2, 0x62, 0x63, 0, 0, 0, 1, 0, 0, 0, 7]
        + [0xFF, 0xFF, 0xFF, 0xFF]

    @Test("Partitions are read in order, whatever their order was")
    func readsPartitionsInOrder() {
        let expected = [TopicPartition("a", 0), TopicPartition("a", 1), TopicPartition("bc", 7)]
        #expect(MemberAssignment.partitions(Self.bytes) == expected)
        #expect(MemberAssignment.partitions([0, 0, 0, 0, 0, 0]) == [])
    }

    @Test("An assignment that is cut off anywhere before its user data is empty")
    func truncatedAssignmentIsEmpty() {
        for length in 0..<(Self.bytes.count - 4) {
            #expect(MemberAssignment.partitions(Array(Self.bytes.prefix(length))) == [], "\(length) bytes")
        }
    }

    @Test("A subscription's topics are read in order; one that is cut off has none")
    func readsTopicsOfSubscription() {
        let bytes: [UInt8] = [0, 1, 0, 0, 0, 2, 0, 2, 0x62, 0x63, 0, 1, 0x61]
        #expect(MemberAssignment.topics(bytes + [0xFF, 0xFF, 0xFF, 0xFF]) == ["a", "bc"])
        for length in 0..<bytes.count { #expect(MemberAssignment.topics(Array(bytes.prefix(length))) == []) }
        #expect(MemberAssignment.topics([0, 1, 0x7F, 0xFF, 0xFF, 0xFF]) == [])
    }

    @Test("Counts and lengths that exceed the content are refused", arguments: [0x7F, 0x80, 0xFF] as [UInt8])
    func refusesCountsWithoutContent(_ byte: UInt8) {
        for index in [0, 2, 6, 9, 13] {
            var bytes = Self.bytes
            bytes[index] = byte
            #expect(MemberAssignment.partitions(bytes).count <= 3, "byte \(index) is \(byte)")
        }
        // 2,147,483,647 topics, and none of them there.
        #expect(MemberAssignment.partitions([0, 1, 0x7F, 0xFF, 0xFF, 0xFF]) == [])
    }
}
