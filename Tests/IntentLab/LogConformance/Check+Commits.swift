import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// Outputs and offsets become visible together or not at all.
    static let commits: [Self] = [
        Self(name: "outputs and offsets are committed together") { bench in
            let source = try await bench.makeTopic("source", partitions: 2)
            let sink = try await bench.makeTopic("sink", partitions: 2)
            try await bench.send(bench.records(["a"], source, 0) + bench.records(["b"], source, 1))
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(2)
                try await lane.commit(bench.records(["1", "2"], sink, 0) + bench.records(["3"], sink, 1))
            }
            let read = try await bench.readAll(sink, partitions: 2)
            let values = read.map { String(decoding: $0.value ?? [], as: UTF8.self) }
            try bench.expect(values.sorted(), equals: ["1", "2", "3"], "outputs")
            let topicPartitions = [TopicPartition(source, 0), TopicPartition(source, 1)]
            let committed = try await bench.log.committedOffsets(
                group: bench.name("group"),
                partitions: topicPartitions
            )
            try bench.expect(committed, equals: [topicPartitions[0]: 1, topicPartitions[1]: 1], "offsets")
        },
        Self(name: "offsets alone are committed, unchanged ones too") { bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                try await lane.awaitPartitions(1)
                for offset: Int64 in [0, 0, 7, 3] {
                    try await lane.lane.commit(LaneCommit(records: [], offsets: [topicPartition: offset]))
                    let found = try await bench.log.committedOffsets(
                        group: bench.name("group"),
                        partitions: [topicPartition]
                    )
                    try bench.expect(found, equals: [topicPartition: offset], "committed")
                }
            }
        },
        Self(name: "a lane commits again and again") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink")
            try await bench.send(bench.records((0..<100).map { "\($0)" }, source))
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                for index in 0..<100 {
                    let read = try await lane.read(1, maxRecords: 1)
                    try bench.expect(read.map(\.offset), equals: [Int64(index)], "offsets")
                    try await lane.commit(bench.records(["\(index)"], sink))
                }
            }
            let read = try await bench.readAll(sink)
            try bench.expect(
                read.map { String(decoding: $0.value ?? [], as: UTF8.self) },
                equals: (0..<100).map { "\($0)" },
                "outputs"
            )
        },
        Self(name: "a batch of five thousand records is one commit, in order") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink", partitions: 2)
            try await bench.send(bench.records(["a"], source))
            let values = (0..<5_000).map { "\($0)" }
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(1)
                try await lane.commit(values.enumerated().map { bench.records([$1], sink, $0 % 2)[0] })
            }
            let read = try await bench.readAll(sink, partitions: 2)
            for partition in 0..<2 {
                let mine = read.filter { $0.topicPartition.partition == partition }
                let expected = stride(from: partition, to: 5_000, by: 2).map { values[$0] }
                try bench.expect(
                    mine.map { String(decoding: $0.value ?? [], as: UTF8.self) },
                    equals: expected,
                    "outputs"
                )
            }
        },
        Self(name: "a record that is too large takes its whole batch back, and the lane goes on") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink", configuration: ["max.message.bytes": "5000"])
            try await bench.send(bench.records(["a", "b"], source))
            let topicPartition = TopicPartition(source, 0)
            let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255) }
            let large = OutgoingRecord(topicPartition: TopicPartition(sink, 0), key: nil, value: noise)
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(2)
                try await bench.expect(.recordTooLarge, "a commit with a record that is too large") {
                    try await lane.commit(bench.records(["lost"], sink) + [large])
                }
                let none = try await bench.log.committedOffsets(
                    group: bench.name("group"),
                    partitions: [topicPartition]
                )
                try bench.expect(none, equals: [:], "offsets after the refusal")
                try await lane.commit(bench.records(["kept"], sink))
                try await lane.commit(bench.records(["too"], sink))
            }
            let read = try await bench.readAll(sink)
            try bench.expect(
                read.map { String(decoding: $0.value ?? [], as: UTF8.self) },
                equals: ["kept", "too"],
                "outputs"
            )
            let found = try await bench.log.committedOffsets(group: bench.name("group"), partitions: [topicPartition])
            try bench.expect(found, equals: [topicPartition: 2], "offsets")
        },
        Self(name: "a lane sees no record that was taken back, and reads past it") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink", configuration: ["max.message.bytes": "5000"])
            try await bench.send(bench.records(["a"], source))
            let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255) }
            let large = OutgoingRecord(topicPartition: TopicPartition(sink, 0), key: nil, value: noise)
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(1)
                try await bench.expect(.recordTooLarge, "a commit with a record that is too large") {
                    try await lane.commit(bench.records(["lost"], sink) + [large])
                }
            }
            try await bench.send(bench.records(["after"], sink))
            try await bench.withLane(bench.laneConfiguration(group: "readers", topics: [sink])) { lane in
                let read = try await lane.read(1)
                try bench.expect(
                    read.map { String(decoding: $0.value ?? [], as: UTF8.self) },
                    equals: ["after"],
                    "read"
                )
            }
        },
        Self(name: "an output for what does not exist is refused") { bench in
            let source = try await bench.makeTopic("source")
            try await bench.send(bench.records(["a"], source))
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                _ = try await lane.read(1)
                try await bench.expect(.unknownTopic, "a commit to a missing topic") {
                    try await lane.commit(bench.records(["x"], bench.name("missing")))
                }
            }
            let topicPartition = TopicPartition(source, 0)
            let found = try await bench.log.committedOffsets(group: bench.name("group"), partitions: [topicPartition])
            try bench.expect(found, equals: [:], "offsets")
        },
        Self(name: "at-least-once and consume-only lanes commit too") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink")
            let topicPartition = TopicPartition(source, 0)
            try await bench.send(bench.records(["a"], source))
            let atLeastOnce = bench.laneConfiguration(group: "some", topics: [source], delivery: .atLeastOnce)
            try await bench.withLane(atLeastOnce) { lane in
                _ = try await lane.read(1)
                try await lane.commit(bench.records(["1"], sink))
                try await lane.commit()
            }
            try bench.expect(try await bench.readAll(sink).count, equals: 1, "outputs")
            let consumeOnly = bench.laneConfiguration(group: "none", topics: [source], delivery: .consumeOnly)
            try await bench.withLane(consumeOnly) { lane in
                _ = try await lane.read(1)
                try await lane.commit()
                try await bench.expect(.configuration, "records of a lane that only consumes") {
                    try await lane.commit(bench.records(["1"], sink))
                }
            }
            for group in [atLeastOnce.group, consumeOnly.group] {
                let found = try await bench.log.committedOffsets(group: group, partitions: [topicPartition])
                try bench.expect(found, equals: [topicPartition: 1], "offsets of \(group)")
            }
        },
    ]
}
