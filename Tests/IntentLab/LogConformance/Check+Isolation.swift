import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// Nothing is read that is not committed, and nothing at offsets that the log does not have.
    static let isolation: [Self] = [
        Self(name: "a lane brings nothing of an open transaction nor behind it, and nothing of an aborted one") {
            bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            try await bench.send(bench.records(["a"], topic))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                let taken = try await bench.conditions.beginTransaction(bench.records(["never", "ever"], topic))
                try await bench.send(bench.records(["b"], topic))
                try bench.expect(try await lane.values(1), equals: ["a"], "read before an open transaction")
                try bench.expect(try await lane.quietStep(), equals: [], "read while it was open")
                try bench.expect(
                    try await bench.log.offsets([topicPartition], at: .lastStable),
                    equals: [topicPartition: 1],
                    "last stable"
                )
                try bench.expect(
                    try await bench.log.offsets([topicPartition], at: .end),
                    equals: [topicPartition: 4],
                    "end"
                )
                try await taken.abort()
                try bench.expect(try await lane.values(1), equals: ["b"], "read after it was aborted")

                let given = try await bench.conditions.beginTransaction(bench.records(["c"], topic))
                try bench.expect(try await lane.quietStep(), equals: [], "read while the second was open")
                try await given.commit()
                try bench.expect(try await lane.values(1), equals: ["c"], "read after it was committed")
                try bench.expect(try await lane.quietStep(), equals: [], "read in the end")
            }
        },
        Self(name: "a reader brings nothing of an open transaction nor behind it, and nothing of an aborted one") {
            bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records(["a"], topic))
            let taken = try await bench.conditions.beginTransaction(bench.records(["never"], topic))
            try await bench.send(bench.records(["b"], topic))
            let topicPartition = TopicPartition(topic, 0)
            let reader = try await bench.log.makeReader(from: [topicPartition: 0])
            var read = try await bench.read(reader, to: [topicPartition: 1]).map(\.value)
            let batch = try await reader.next(maxRecords: 10, timeout: .milliseconds(300))
            read += batch.records.map(\.value)
            try bench.expect(read, equals: [Array("a".utf8)], "read before an open transaction")
            try bench.expect(batch.positions, equals: [topicPartition: 1], "positions")
            try await taken.abort()
            let end = try await bench.log.offsets([topicPartition], at: .end)
            let rest = try await bench.read(reader, to: end).map(\.value)
            await reader.close()
            try bench.expect(rest, equals: [Array("b".utf8)], "read after it was aborted")
        },
        Self(name: "what an open transaction began with can be looked at") { bench in
            guard let log = bench.log as? any OpenTransactionLog else { return }
            let topic = try await bench.makeTopic(partitions: 2)
            let (first, second) = (TopicPartition(topic, 0), TopicPartition(topic, 1))
            try await bench.send(bench.records(["a"], topic))
            let open = try await bench.conditions.beginTransaction(bench.records(["b", "c"], topic))
            let found = try await log.uncommittedRecords(at: [first: 1, second: 0])
            try bench.expect(found.mapValues(\.value), equals: [first: Array("b".utf8)], "first records")
            try bench.expect(found[first]?.offset, equals: 1, "offset")
            try await open.abort()
        },
        Self(name: "a lane's aborted batch is not read by another lane") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink", partitions: 2, configuration: ["max.message.bytes": "5000"])
            try await bench.send(bench.records(["a"], source))
            let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255) }
            let large = OutgoingRecord(topicPartition: TopicPartition(sink, 1), key: nil, value: noise)
            try await bench.withLane(bench.laneConfiguration("writer", group: "writers", topics: [source])) { lane in
                _ = try await lane.read(1)
                try await lane.commit(bench.records(["1"], sink))
                try await bench.expect(.recordTooLarge, "a commit with a record that is too large") {
                    try await lane.commit(bench.records(["lost"], sink) + [large])
                }
                try await lane.commit(bench.records(["2"], sink))
            }
            try await bench.withLane(bench.laneConfiguration(topics: [sink])) { lane in
                try bench.expect(try await lane.values(2), equals: ["1", "2"], "read")
                try bench.expect(try await lane.quietStep(), equals: [], "read in the end")
            }
        },
        Self(name: "a lane that is told to begin where the log holds nothing says so") { bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records(["a"], topic))
            let lane = LaneDriver(
                try await bench.log.makeLane(bench.laneConfiguration(topics: [topic])),
                timeout: bench.conditions.timeout
            )
            let committed = try await lane.awaitAssignment()
            try await lane.start(committed, at: [TopicPartition(topic, 0): 7])
            do {
                try await bench.expect(.offsetOutOfRange, "an offset after the end") {
                    let deadline = ContinuousClock.now + bench.conditions.timeout
                    while ContinuousClock.now < deadline {
                        let read = try await lane.step()
                        try bench.expect(read.isEmpty, "something was read instead: \(read.map(\.offset))")
                    }
                }
            } catch {
                await lane.close()
                throw error
            }
            await lane.close()
        },
        Self(name: "a lane tells how far its reading has got, markers and aborted records passed") { bench in
            let topic = try await bench.makeTopic(partitions: 2)
            let topicPartitions = [TopicPartition(topic, 0), TopicPartition(topic, 1)]
            try await bench.send(bench.records(["a"], topic))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                let committed = try await lane.awaitAssignment()
                try bench.expect(await lane.lane.positions(), equals: [:], "positions before the start")
                try await lane.start(committed, at: committed)
                _ = try await lane.read(1)
                let taken = try await bench.conditions.beginTransaction(bench.records(["never"], topic))
                try await taken.abort()
                let end = try await bench.log.offsets(topicPartitions, at: .end)
                let deadline = ContinuousClock.now + bench.conditions.timeout
                while await lane.lane.positions() != end, ContinuousClock.now < deadline {
                    try bench.expect(try await lane.step(timeout: .milliseconds(50)).isEmpty, "a record came")
                }
                try bench.expect(await lane.lane.positions(), equals: end, "positions")
            }
        },
    ]
}

extension LaneDriver {
    /// Polls until this many records have come, and returns their values as text.
    fileprivate func values(_ count: Int) async throws -> [String] {
        try await self.read(count).map { String(decoding: $0.value ?? [], as: UTF8.self) }
    }

    /// Polls a little longer than a record takes, and returns the values of what comes.
    fileprivate func quietStep() async throws -> [String] {
        try await self.step(timeout: .milliseconds(700)).map { String(decoding: $0.value ?? [], as: UTF8.self) }
    }
}
