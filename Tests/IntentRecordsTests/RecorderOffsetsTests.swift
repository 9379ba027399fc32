import IntentEvents
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("The offsets that a recorder commits to its group, and those that it stores")
struct RecorderOffsetsTests {
    @Test func commitsOffsetsAtMostTwiceASecond() {
        let topicPartitions = (0..<2).map { TopicPartition("intents.requests", $0) }
        var told = UnreportedOffsets()
        #expect(told.remaining(at: .seconds(1)) == nil)
        told.record([:], at: .seconds(1))
        #expect(told.remaining(at: .seconds(1)) == nil)
        told.record([topicPartitions[0]: 3], at: .seconds(1))
        told.record([topicPartitions[0]: 5, topicPartitions[1]: 1], at: .milliseconds(1_400))
        #expect(told.remaining(at: .milliseconds(1_400)) == .milliseconds(100))
        #expect(told.popDue(at: .milliseconds(1_499)).isEmpty)
        #expect(told.popDue(at: .milliseconds(1_500)) == [topicPartitions[0]: 5, topicPartitions[1]: 1])
        #expect(told.popDue(at: .seconds(9)).isEmpty)
        told.record([topicPartitions[1]: 2], at: .seconds(9))
        #expect(told.remaining(at: .seconds(20)) == .zero)
        #expect(told.drain() == [topicPartitions[1]: 2])
        #expect(told.remaining(at: .seconds(20)) == nil)
    }

    @Test func passedOffsetsAreSavedAfterAMinute() {
        let topicPartitions = (0..<3).map { TopicPartition("intents.journal", $0) }
        var passing = PassedOffsets(
            RecordClaim(
                epochs: [:],
                starts: [topicPartitions[0]: 3, topicPartitions[1]: nil, topicPartitions[2]: 7],
                passed: [topicPartitions[2]: 9]
            )
        )
        passing.record([topicPartitions[0]: 3, topicPartitions[1]: 0, topicPartitions[2]: 9], at: .seconds(10))
        #expect(passing.uncounted.isEmpty)
        passing.record(
            [topicPartitions[0]: 4, topicPartitions[1]: 2, TopicPartition("others", 0): 4],
            at: .seconds(20)
        )
        #expect(passing.due(at: .seconds(79)).isEmpty)
        #expect(passing.due(at: .seconds(80)) == [topicPartitions[0]: 4, topicPartitions[1]: 2])
        passing.count([topicPartitions[0]: 6])
        #expect(passing.uncounted == [topicPartitions[1]: 2])
        passing.count([topicPartitions[1]: 2])
        #expect(passing.due(at: .seconds(1_000)).isEmpty)
        // The minute begins with what is passed over next.
        passing.record([topicPartitions[1]: 5], at: .seconds(1_000))
        #expect(passing.due(at: .seconds(1_059)).isEmpty)
        #expect(passing.due(at: .seconds(1_060)) == [topicPartitions[1]: 5])
    }
}
