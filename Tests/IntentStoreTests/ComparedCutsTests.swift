import InMemoryLog
import IntentEvents
import IntentLab
import IntentRuntime
import IntentStore
import Testing

@Suite("R46: records and topics of which retention has removed the beginnings")
struct ComparedCutsTests {
    @Test("What was cut in the same millisecond as what is left is not missed")
    func recordsOfOneMillisecond() async throws {
        let log = InMemoryLog()
        _ = try await Deployment.create(TopicPlan(prefix: Traffic.prefix, partitions: 1), on: log)
        let traffic = Traffic(seed: 1, interactions: 600, partitions: 1, junk: false)
        let producer = try await log.makeProducer()
        _ = try await producer.send(
            traffic.records.map {
                OutgoingRecord(topicPartition: $0.topicPartition, timestamp: $0.timestamp, content: $0.content)
            }
        )
        await producer.close()
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: path, from: log, prefix: Traffic.prefix)
        let journal = TopicPartition(Topic.journal.name(prefix: Traffic.prefix), 0)
        let turns = traffic.partitions[journal] ?? []
        // The log has no gaps, so an index is an offset.
        let cuts = turns.indices.dropFirst()
            .filter { index in
                turns[index].timestamp == turns[index - 1].timestamp && TurnRecord(turns[index - 1])?.opened == true
            }
        #expect(!cuts.isEmpty)
        for cut in cuts {
            try log.trim(journal, to: Int64(cut))
            let found = try await RecordComparison.run(at: path, with: log, prefix: Traffic.prefix)
            #expect(found.differences.isEmpty, "\(cut): \(found.differences)")
        }
    }
}
