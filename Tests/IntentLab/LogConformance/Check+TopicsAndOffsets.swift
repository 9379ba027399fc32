import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// Topics are created once and described correctly; offsets are found.
    static let topicsAndOffsets: [Self] = [
        Self(name: "topics are made once and described as they are") { bench in
            let names: (TopicName, TopicName) = (bench.name("one"), bench.name("two"))
            let one = TopicDescription(name: names.0, partitions: 3, configuration: ["cleanup.policy": "compact"])
            let two = TopicDescription(name: names.1, partitions: 1, configuration: ["retention.ms": "86400000"])
            try bench.expect(try await bench.log.createTopics([one]), equals: [names.0], "made")
            var other = one
            other.partitions = 5
            try bench.expect(try await bench.log.createTopics([other, two]), equals: [names.1], "made")
            try bench.expect(try await bench.log.createTopics([]), equals: [], "made of nothing")
            let mine = try await bench.log.topics().filter { $0.name == names.0 || $0.name == names.1 }
            try bench.expect(mine, equals: [one, two], "topics, by name")
        },
        Self(name: "a topic that cannot be is refused") { bench in
            try await bench.expect(.configuration, "a setting that is none") {
                _ = try await bench.makeTopic("a", configuration: ["max.message.bytes": "many"])
            }
            try await bench.expect(.configuration, "a name that is none") {
                _ = try await bench.log.createTopics([TopicDescription(name: "no topic!", partitions: 1)])
            }
            try await bench.expect(.configuration, "no partitions") {
                _ = try await bench.makeTopic("b", partitions: 0)
            }
        },
        Self(name: "offsets are found by place and by time") { bench in
            // Its records are of 1970: retention would remove them while they are looked for.
            let topic = try await bench.makeTopic(partitions: 2, configuration: ["retention.ms": "-1"])
            let topicPartitions = [TopicPartition(topic, 0), TopicPartition(topic, 1)]
            for query in [OffsetQuery.earliest, .end, .lastStable, .time(0)] {
                let found = try await bench.log.offsets(topicPartitions, at: query)
                try bench.expect(
                    found,
                    equals: [topicPartitions[0]: 0, topicPartitions[1]: 0],
                    "\(query) of empty partitions"
                )
            }
            let times: [Int64] = [1_000_000, 2_000_000, 3_000_000]
            try await bench.send(
                times.map { OutgoingRecord(topicPartition: topicPartitions[0], timestamp: $0, key: nil, value: [1]) }
            )
            func offset(_ query: OffsetQuery) async throws -> Int64? {
                try await bench.log.offsets([topicPartitions[0]], at: query)[topicPartitions[0]]
            }
            try bench.expect(try await offset(.earliest), equals: 0, "earliest")
            try bench.expect(try await offset(.end), equals: 3, "end")
            try bench.expect(try await offset(.lastStable), equals: 3, "last stable")
            try bench.expect(try await offset(.time(0)), equals: 0, "time before all")
            try bench.expect(try await offset(.time(2_000_000)), equals: 1, "time of a record")
            try bench.expect(try await offset(.time(2_000_001)), equals: 2, "time between records")
            try bench.expect(try await offset(.time(4_000_000)), equals: 3, "time after all")
            try bench.expect(try await bench.log.offsets([], at: .end), equals: [:], "offsets of nothing")
        },
        Self(name: "offsets of what does not exist are an error") { bench in
            let topic = try await bench.makeTopic()
            for query in [OffsetQuery.earliest, .end, .lastStable, .time(0)] {
                try await bench.expect(.unknownTopic, "\(query) of a missing topic") {
                    _ = try await bench.log.offsets([TopicPartition(bench.name("missing"), 0)], at: query)
                }
                try await bench.expect(.unknownTopic, "\(query) of a missing partition") {
                    _ = try await bench.log.offsets([TopicPartition(topic, 0), TopicPartition(topic, 1)], at: query)
                }
            }
        },
        Self(name: "a group's committed offsets are told, and those of none left out") { bench in
            let topic = try await bench.makeTopic(partitions: 2)
            let topicPartitions = [TopicPartition(topic, 0), TopicPartition(topic, 1)]
            let group: GroupName = bench.name("group")
            let none = try await bench.log.committedOffsets(group: bench.name("nobody"), partitions: topicPartitions)
            try bench.expect(none, equals: [:], "offsets of a group that never was")
            try await bench.send(bench.records(["a", "b"], topic, 1))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                _ = try await lane.read(2)
                try await lane.commit()
                let found = try await bench.log.committedOffsets(group: group, partitions: topicPartitions)
                try bench.expect(found, equals: [topicPartitions[1]: 2], "committed")
            }
            let empty = try await bench.log.committedOffsets(group: group, partitions: [])
            try bench.expect(empty, equals: [:], "offsets of nothing")
        },
    ]
}
