import IntentEvents
import IntentRecords
import IntentRuntime
import Testing

@Suite("The recorder keeps records as they are, unless they are larger than its topics take")
struct RecordedRecordTests {
    private static let headers = [LogHeader("ce_type", "intent.requested"), LogHeader("other", "x")]

    /// A record whose key, value and headers have that many bytes together.
    private static func record(_ bytes: Int, key: Int = 4) -> LogRecord {
        let names = Self.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
        return LogRecord(
            topicPartition: TopicPartition("intents.requests", 0),
            offset: 7,
            timestamp: 9,
            key: [UInt8](repeating: 0x6B, count: key),
            value: [UInt8](repeating: 0x76, count: bytes - names - key),
            headers: Self.headers
        )
    }

    @Test("Records are kept whole up to the limit, not counting the lengths of their parts")
    func keepsRecordsUpToLimit() {
        for bytes in [1_000, TopicPlan.maximumRecordBytes - 1, TopicPlan.maximumRecordBytes] {
            let record = Self.record(bytes)
            #expect(record.recorded == record, "\(bytes)")
        }
    }

    @Test("A larger record keeps the beginning of its value, its event headers, and its key if that could be valid")
    func cutsLargerRecords() {
        let record = Self.record(TopicPlan.maximumRecordBytes + 1)
        let kept = record.recorded
        #expect(kept.key == record.key)
        #expect(kept.value == Array((record.value ?? []).prefix(OutgoingRecord.cutValueBytes)))
        #expect(kept.headers == [LogHeader("ce_type", "intent.requested")])
        #expect((kept.topicPartition, kept.offset, kept.timestamp) == (record.topicPartition, 7, 9))
        let long = Self.record(TopicPlan.maximumRecordBytes + 1, key: Event.maximumIDBytes)
        #expect(long.recorded.key?.count == Event.maximumIDBytes)
        #expect(Self.record(TopicPlan.maximumRecordBytes + 1, key: Event.maximumIDBytes + 1).recorded.key == nil)
    }
}
