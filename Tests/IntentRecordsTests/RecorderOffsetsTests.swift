import IntentEvents
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("The offsets that a recorder commits to its group, and those that it stores")
struct RecorderOffsetsTests {
    @Test func commitsOffsetsAtMostTwiceASecond() {
        let places = (0..<2).map { TopicPartition("intents.requests", $0) }
        var told = UnreportedOffsets()
        #expect(told.remaining(at: .seconds(1)) == nil)
        told.record([:], at: .seconds(1))
        #expect(told.remaining(at: .seconds(1)) == nil)
        told.record([places[0]: 3], at: .seconds(1))
        told.record([places[0]: 5, places[1]: 1], at: .milliseconds(1_400))
        #expect(told.remaining(at: .milliseconds(1_400)) == .milliseconds(100))
        #expect(told.popDue(at: .milliseconds(1_499)).isEmpty)
        #expect(told.popDue(at: .milliseconds(1_500)) == [places[0]: 5, places[1]: 1])
        #expect(told.popDue(at: .seconds(9)).isEmpty)
        told.record([places[1]: 2], at: .seconds(9))
        #expect(told.remaining(at: .seconds(20)) == .zero)
        #expect(told.drain() == [places[1]: 2])
        #expect(told.remaining(at: .seconds(20)) == nil)
    }

    @Test func passedOffsetsAreSavedAfterAMinute() {
        let places = (0..<3).map { TopicPartition("intents.journal", $0) }
        var passing = PassedOffsets(
            RecordClaim(
                epochs: [:],
                starts: [places[0]: 3, places[1]: nil, places[2]: 7],
                passed: [places[2]: 9]
            )
        )
        passing.record([places[0]: 3, places[1]: 0, places[2]: 9], at: .seconds(10))
        #expect(passing.uncounted.isEmpty)
        passing.record([places[0]: 4, places[1]: 2, TopicPartition("others", 0): 4], at: .seconds(20))
        #expect(passing.due(at: .seconds(79)).isEmpty)
        #expect(passing.due(at: .seconds(80)) == [places[0]: 4, places[1]: 2])
        passing.count([places[0]: 6])
        #expect(passing.uncounted == [places[1]: 2])
        passing.count([places[1]: 2])
        #expect(passing.due(at: .seconds(1_000)).isEmpty)
        // The minute begins with what is passed over next.
        passing.record([places[1]: 5], at: .seconds(1_000))
        #expect(passing.due(at: .seconds(1_059)).isEmpty)
        #expect(passing.due(at: .seconds(1_060)) == [places[1]: 5])
    }
}
