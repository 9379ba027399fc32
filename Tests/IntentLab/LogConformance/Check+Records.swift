import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// What is written is what is read.
    static let records: [Self] = [
        Self(name: "records come back as they were written") { bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            let every = Array(UInt8.min...UInt8.max)
            let headers = [
                LogHeader("a", "1"), LogHeader("b", bytes: nil), LogHeader("a", "2"), LogHeader("c", bytes: []),
                LogHeader("d", bytes: every), LogHeader("a", "1"),
            ]
            let written = [
                OutgoingRecord(topicPartition: topicPartition, timestamp: 1_700_000_000_123, key: every, value: every),
                OutgoingRecord(topicPartition: topicPartition, key: nil, value: [1], headers: headers),
                OutgoingRecord(topicPartition: topicPartition, key: [], value: [2]),
                OutgoingRecord(topicPartition: topicPartition, key: [1], value: []),
                OutgoingRecord(topicPartition: topicPartition, key: [2], value: nil),
                OutgoingRecord(
                    topicPartition: topicPartition,
                    key: nil,
                    value: nil,
                    headers: [LogHeader("only", bytes: nil)]
                ),
            ]
            try await bench.send(written)
            let read = try await bench.readAll(topic)
            try bench.expect(read.map(\.key), equals: written.map(\.key), "keys")
            try bench.expect(read.map(\.value), equals: written.map(\.value), "values")
            try bench.expect(read.map(\.headers), equals: written.map(\.headers), "headers")
            try bench.expect(read.first?.timestamp, equals: 1_700_000_000_123, "timestamp")
            try bench.expect(read.dropFirst().allSatisfy { $0.timestamp > 1_700_000_000_123 }, "no time was set")
        },
        Self(name: "a lane writes records as they are") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink")
            try await bench.send(bench.records(["x"], source))
            let topicPartition = TopicPartition(sink, 0)
            let written = [
                OutgoingRecord(
                    topicPartition: topicPartition,
                    key: [],
                    value: nil,
                    headers: [LogHeader("n", bytes: nil)]
                ),
                OutgoingRecord(topicPartition: topicPartition, timestamp: 1_700_000_000_123, key: nil, value: []),
                OutgoingRecord(
                    topicPartition: topicPartition,
                    key: [0],
                    value: [0, 255],
                    headers: [LogHeader("e", bytes: [])]
                ),
            ]
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(1)
                try await lane.commit(written)
            }
            let read = try await bench.readAll(sink)
            try bench.expect(read.map(\.key), equals: written.map(\.key), "keys")
            try bench.expect(read.map(\.value), equals: written.map(\.value), "values")
            try bench.expect(read.map(\.headers), equals: written.map(\.headers), "headers")
            try bench.expect(read.dropFirst().first?.timestamp, equals: 1_700_000_000_123, "timestamp")
        },
        Self(name: "a partition keeps the order of writes") { bench in
            let topic = try await bench.makeTopic(partitions: 3)
            let values = (0..<3_000).map { "\($0)" }
            let written = values.enumerated().map { index, value in bench.records([value], topic, index % 3)[0] }
            let offsets = try await bench.send(written)
            let read = try await bench.readAll(topic, partitions: 3)
            try bench.expect(read.count, equals: 3_000, "records")
            for partition in 0..<3 {
                let mine = read.filter { $0.topicPartition.partition == partition }
                let expected = stride(from: partition, to: 3_000, by: 3).map { (values[$0], offsets[$0]) }
                try bench.expect(mine.map(\.value), equals: expected.map { Array($0.0.utf8) }, "values of \(partition)")
                try bench.expect(mine.map(\.offset), equals: expected.map(\.1), "offsets of \(partition)")
            }
        },
        Self(name: "calls of one producer may overlap") { bench in
            let topic = try await bench.makeTopic()
            let producer = try await bench.log.makeProducer()
            let offsets = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for call in 0..<20 {
                    group.addTask { try await producer.send(bench.records((0..<50).map { "\(call)/\($0)" }, topic)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            await producer.close()
            try bench.expect(Set(offsets.joined()).count, equals: 1_000, "distinct offsets")
            try bench.expect(offsets.allSatisfy { $0 == $0.sorted() }, "the offsets of a call are out of order")
            try bench.expect(try await bench.readAll(topic).count, equals: 1_000, "records")
        },
        Self(name: "a producer refuses what does not exist and what is closed") { bench in
            let topic = try await bench.makeTopic()
            let producer = try await bench.log.makeProducer()
            try await bench.expect(.unknownTopic, "a topic that does not exist") {
                _ = try await producer.send(bench.records(["x"], bench.name("missing")))
            }
            try await bench.expect(.unknownTopic, "a partition that does not exist") {
                _ = try await producer.send(bench.records(["x"], topic, 1))
            }
            try bench.expect(try await producer.send([]), equals: [], "offsets of nothing")
            try bench.expect(try await producer.send(bench.records(["x"], topic)), equals: [0], "offsets")
            await producer.close()
            try await bench.expect(.closed, "a closed producer") {
                _ = try await producer.send(bench.records(["x"], topic))
            }
        },
        Self(name: "a record of exactly the topic's size is taken and one above refused") { bench in
            let topic = try await bench.makeTopic(configuration: ["max.message.bytes": "5000"])
            // Without repeats, so that no compression makes it smaller.
            var noise = SystemRandomNumberGenerator()
            func record(_ size: Int) -> OutgoingRecord {
                let value = (0..<size).map { _ in UInt8.random(in: 0...255, using: &noise) }
                return OutgoingRecord(topicPartition: TopicPartition(topic, 0), key: nil, value: value)
            }
            let fit = 5_000 - RecordSize.batch(record(4_000)) + 4_000
            try await bench.send([record(fit)])
            try await bench.expect(.recordTooLarge, "a record of one byte too many") {
                try await bench.send([record(fit + 1)])
            }
            let read = try await bench.readAll(topic)
            try bench.expect(read.map { $0.value?.count }, equals: [fit], "sizes")
        },
        Self(name: "four mebibytes pass where the topic takes them") { bench in
            let topic = try await bench.makeTopic(configuration: ["max.message.bytes": "4194304"])
            let value = (0..<4_190_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
            let record = OutgoingRecord(topicPartition: TopicPartition(topic, 0), key: [1], value: value)
            try await bench.send([record])
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                let read = try await lane.read(1)
                try bench.expect(read[0].value == value, "the value changed")
                try await lane.commit([record])
            }
            try bench.expect(
                try await bench.readAll(topic).map { $0.value?.count },
                equals: [4_190_000, 4_190_000],
                "sizes"
            )
        },
    ]
}
