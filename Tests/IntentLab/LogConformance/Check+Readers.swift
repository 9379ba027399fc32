import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// Readers read what is committed, from the given offsets, and report their positions.
    static let readers: [Self] = [
        Self(name: "a reader reads from its offsets and tells its positions") { bench in
            let topic = try await bench.makeTopic(partitions: 3)
            let topicPartitions = (0..<3).map { TopicPartition(topic, $0) }
            try await bench.send(bench.records(["a", "b", "c"], topic, 0) + bench.records(["d"], topic, 1))
            let reader = try await bench.log.makeReader(from: [
                topicPartitions[0]: 1, topicPartitions[1]: 0, topicPartitions[2]: 0,
            ])
            let end = try await bench.log.offsets(topicPartitions, at: .end)
            let read = try await bench.read(reader, to: end)
            try bench.expect(
                Set(read.map(\.value)),
                equals: [Array("b".utf8), Array("c".utf8), Array("d".utf8)],
                "read"
            )
            let nothing = try await reader.next(maxRecords: 10, timeout: .milliseconds(20))
            try bench.expect(nothing.records.isEmpty, "a record came twice")
            try bench.expect(
                nothing.positions,
                equals: [topicPartitions[0]: 3, topicPartitions[1]: 1, topicPartitions[2]: 0],
                "positions"
            )
            try await bench.send(bench.records(["e"], topic, 2))
            let more = try await bench.read(reader, to: [topicPartitions[2]: 1])
            try bench.expect(more.map(\.value), equals: [Array("e".utf8)], "read later")
            await reader.close()
            await reader.close()
            try await bench.expect(.closed, "a closed reader") {
                _ = try await reader.next(maxRecords: 1, timeout: .seconds(20))
            }
        },
        Self(name: "a reader brings at most what it was asked for") { bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records((0..<25).map { "\($0)" }, topic))
            let reader = try await bench.log.makeReader(from: [TopicPartition(topic, 0): 0])
            var offsets: [Int64] = []
            while offsets.count < 25 {
                let batch = try await reader.next(maxRecords: 10, timeout: .seconds(5))
                try bench.expect(batch.records.count <= 10, "it brought \(batch.records.count)")
                offsets += batch.records.map(\.offset)
            }
            await reader.close()
            try bench.expect(offsets, equals: Array(0..<25), "offsets")
        },
        Self(name: "a reader that is asked for some keys shows no others, and tells that it has passed them") { bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            func record(_ key: String?, _ value: String) -> OutgoingRecord {
                OutgoingRecord(
                    topicPartition: topicPartition,
                    key: key.map { Array($0.utf8) },
                    value: Array(value.utf8)
                )
            }
            let keys: [String?] = ["a/1", "b/1", nil, "a", "", "a/2", "aa/"]
            let others = (0..<2_500).map { record("c/\($0)", "\($0)") }
            try await bench.send(keys.map { record($0, "x") } + others + [record("a/3", "y")])
            let reader = try await bench.log.makeReader(from: [topicPartition: 0])
            var (shown, position): ([LogRecord], Int64) = ([], 0)
            while position < 2_508 {
                let prefix = Array("a/".utf8)
                let batch = try await reader.next(maxRecords: 1_000, timeout: .seconds(5), keysBeginning: prefix)
                shown += batch.records
                try bench.expect(
                    (batch.positions[topicPartition] ?? 0) - position <= 1_000,
                    "more were passed than asked for"
                )
                position = batch.positions[topicPartition] ?? 0
            }
            await reader.close()
            try bench.expect(shown.map(\.offset), equals: [0, 5, 2_507], "offsets")
            try bench.expect(shown.map(\.content.key), equals: ["a/1", "a/2", "a/3"].map { Array($0.utf8) }, "keys")
        },
        Self(name: "a reader's positions pass what was taken back") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink", partitions: 2, configuration: ["max.message.bytes": "5000"])
            try await bench.send(bench.records(["a"], source))
            let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255) }
            let large = OutgoingRecord(topicPartition: TopicPartition(sink, 1), key: nil, value: noise)
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(1)
                try await lane.commit(bench.records(["1"], sink))
                try await bench.expect(.recordTooLarge, "a commit with a record that is too large") {
                    try await lane.commit(bench.records(["lost"], sink) + [large])
                }
            }
            // `readAll` reads until the positions have reached the end, control records and all.
            let read = try await bench.readAll(sink, partitions: 2)
            try bench.expect(read.map(\.value), equals: [Array("1".utf8)], "read")
        },
        Self(name: "a reader refuses what the log does not hold") { bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records(["a"], topic))
            try await bench.expect(.unknownTopic, "a partition that does not exist") {
                _ = try await bench.log.makeReader(from: [TopicPartition(topic, 1): 0])
            }
            let reader = try await bench.log.makeReader(from: [TopicPartition(topic, 0): 5])
            try await bench.expect(.offsetOutOfRange, "an offset after the end") {
                let deadline = ContinuousClock.now + bench.conditions.timeout
                while ContinuousClock.now < deadline {
                    _ = try await reader.next(maxRecords: 10, timeout: .milliseconds(500))
                }
            }
            await reader.close()
        },
        Self(name: "a reader without news ends with its time-out") { bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            let reader = try await bench.log.makeReader(from: [topicPartition: 0])
            _ = try await reader.next(maxRecords: 10, timeout: .milliseconds(50))
            let begin = ContinuousClock.now
            let batch = try await reader.next(maxRecords: 10, timeout: .milliseconds(100))
            let took = begin.duration(to: .now)
            await reader.close()
            try bench.expect(batch.records.isEmpty, "a record came")
            try bench.expect(batch.positions, equals: [topicPartition: 0], "positions")
            try bench.expect(took < .seconds(60), "it took \(took)")
        },
        Self(name: "a reader leaves no trace in any group") { bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records(["a"], topic))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                try await lane.awaitPartitions(1)
                _ = try await bench.readAll(topic)
                try bench.expect(lane.assignments, equals: 1, "assignments")
            }
            let topicPartition = TopicPartition(topic, 0)
            let found = try await bench.log.committedOffsets(group: bench.name("group"), partitions: [topicPartition])
            try bench.expect(found, equals: [:], "offsets")
        },
    ]
}
