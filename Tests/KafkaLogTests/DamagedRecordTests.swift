import Foundation
import GRDB
import IntentEvents
import IntentRuntime
import IntentLab
import Logging
import Telemetry
import Testing

@testable import KafkaLog

/// The errors for records that the client library cannot decode.
@Suite(.timeLimit(.minutes(1)))
struct DamagedRecordTests {
    @Test("Each damaged offset is reported at once, and then once a minute")
    func reportsEachPositionOnceAMinute() {
        var records = UnreadableRecords()
        let topicPartition = TopicPartition("t", 0)
        #expect(records.record(topicPartition, offset: 5, at: .seconds(1)) == 1)
        #expect(records.record(topicPartition, offset: 5, at: .seconds(2)) == nil)
        #expect(records.record(topicPartition, offset: 5, at: .seconds(60)) == nil)
        #expect(records.record(TopicPartition("t", 1), offset: 5, at: .seconds(60)) == 1)
        #expect(records.record(topicPartition, offset: 5, at: .seconds(61)) == 4)
        #expect(records.record(topicPartition, offset: 6, at: .seconds(62)) == 1)
    }

    @Test("A lane and a reader that meet a damaged record say where it is, as an error")
    func reportsPositionOfDamagedRecord() async throws {
        try await TestBroker.with { broker in
            let lines = LogLines()
            var configuration = broker.configuration
            configuration.logger = lines.logger()
            configuration.properties = ["compression.type": "gzip"]
            let topicPartition = TopicPartition("t", 0)
            let log = KafkaLog(configuration)
            _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
            let producer = try await log.makeProducer()
            for value in ["whole", String(repeating: "damaged ", count: 500)] {
                _ = try await producer.send([
                    OutgoingRecord(topicPartition: topicPartition, key: nil, value: Array(value.utf8))
                ])
            }
            await producer.close()
            await broker.stop()
            try broker.damageLastBatch()
            try await broker.start()

            let reader = try await log.makeReader(from: [topicPartition: 1])
            async let reported = lines.next(.error, "Cannot read a record, or any record after it")
            let batch = try await reader.next(maxRecords: 10, timeout: .seconds(2))
            #expect(batch.records.isEmpty)
            await reader.close()
            let line = try await reported
            #expect(line.metadata[TelemetryKey.partition] == "t[0]")
            #expect(line.metadata[TelemetryKey.offset] == "1")

            let before = lines.all.count
            let lane = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
            var read: [LogRecord] = []
            while !lines.all.dropFirst(before).contains(where: { $0.message.hasPrefix("Cannot read a record") }) {
                for event in try await lane.poll(maxRecords: 10, timeout: .milliseconds(200)) {
                    if case .assigned(let offsets) = event { try await lane.start(at: offsets) }
                    if case .records(let records) = event { read += records }
                }
            }
            #expect(read.map(\.offset) == [0])
            #expect(await lane.positions() == [topicPartition: 1])
            await lane.close()
            await log.close()
        }
    }
}

extension TestBroker {
    /// Inverts some compressed bytes of the last batch, unnoticed by the broker.
    fileprivate func damageLastBatch() throws {
        let database = try DatabaseQueue(path: self.databasePath)
        try database.write { database in
            guard let row = try Row.fetchOne(database, sql: "SELECT key, bytes FROM batches ORDER BY key DESC"),
                var bytes = row["bytes"] as Data?
            else { return }
            // After the batch's header of 61 bytes and gzip's of 10.
            for index in 71..<min(81, bytes.count) { bytes[bytes.startIndex + index] ^= 0xFF }
            try database.execute(
                sql: "UPDATE batches SET bytes = ? WHERE key = ?",
                arguments: [bytes, row["key"] as Int64?]
            )
        }
        try database.close()
    }
}
