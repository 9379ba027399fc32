import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// A lane joins, reads, waits, pauses and leaves.
    static let lanes: [Self] = [
        Self(name: "nothing is fetched before the start, and then from where it says") { bench in
            let topic = try await bench.makeTopic(partitions: 2)
            try await bench.send(bench.records(["a", "b", "c"], topic, 0) + bench.records(["d"], topic, 1))
            let first = TopicPartition(topic, 0)
            let second = TopicPartition(topic, 1)
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                let committed = try await lane.awaitAssignment()
                try bench.expect(committed, equals: [first: nil, second: nil], "committed offsets of a new group")
                let early = try await lane.lane.poll(maxRecords: 10, timeout: .milliseconds(50))
                try bench.expect(early.isEmpty, "something came before the start")
                try await lane.start(committed, at: [first: 1, second: nil])
                let read = try await lane.read(3)
                try bench.expect(
                    Set(read.map { String(decoding: $0.value ?? [], as: UTF8.self) }),
                    equals: ["b", "c", "d"],
                    "read"
                )
            }
        },
        Self(name: "a lane that polls while it restores is not taken for dead, however long that takes") { bench in
            let source = try await bench.makeTopic("source")
            try await bench.send(bench.records(["a"], source))
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { lane in
                let committed = try await lane.awaitAssignment()
                let restored = ContinuousClock.now + .milliseconds(bench.conditions.sessionTimeout * 2)
                while ContinuousClock.now < restored {
                    let events = try await lane.lane.poll(maxRecords: 1, timeout: .milliseconds(20))
                    try bench.expect(events.isEmpty, "before the start came \(events)")
                }
                try await lane.start(committed, at: committed)
                _ = try await lane.read(1)
                try await lane.commit()
            }
        },
        Self(name: "a lane that polls while it restores hears that it has to give its partitions back") { bench in
            let source = try await bench.makeTopic("source", partitions: 2)
            // Neither session may end meanwhile, however slow the machine is: then the partitions are lost.
            try await bench.withLane(bench.longSession("b", source)) { restoring in
                _ = try await restoring.awaitAssignment()
                try await bench.withLane(bench.longSession("a", source)) { other in
                    var events: [LaneEvent] = []
                    let deadline = ContinuousClock.now + bench.conditions.timeout
                    while events.isEmpty, ContinuousClock.now < deadline {
                        _ = try await other.step(timeout: .milliseconds(20))
                        events = try await restoring.lane.poll(maxRecords: 1, timeout: .milliseconds(20))
                    }
                    guard case .revoked(_, lost: false)? = events.first else {
                        throw ConformanceFailure("the lane was told \(events)")
                    }
                    try await restoring.release()
                    while restoring.partitions.count != 1 || other.partitions.count != 1 {
                        _ = try await other.step(timeout: .milliseconds(20))
                        _ = try await restoring.step(timeout: .milliseconds(20))
                        try bench.expect(ContinuousClock.now < deadline, "the lanes do not share the partitions")
                    }
                }
            }
        },
        Self(name: "a lane goes on where the group has committed") { bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            try await bench.send(bench.records(["a", "b", "c"], topic))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                _ = try await lane.read(1, maxRecords: 1)
                try await lane.commit()
            }
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                let committed = try await lane.awaitAssignment()
                try bench.expect(committed, equals: [topicPartition: 1], "committed offset")
                try await lane.start(committed, at: committed)
                let read = try await lane.read(2)
                try bench.expect(read.map(\.offset), equals: [1, 2], "offsets")
            }
        },
        Self(name: "a poll brings at most what it was asked for") { bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records((0..<25).map { "\($0)" }, topic))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                var read: [LogRecord] = []
                while read.count < 25 {
                    let some = try await lane.step(maxRecords: 10)
                    try bench.expect(some.count <= 10, "a poll brought \(some.count) records")
                    read += some
                }
                try bench.expect(read.map(\.offset), equals: Array(0..<25), "offsets")
            }
        },
        Self(name: "a poll without anything to do ends with its time-out") { bench in
            let topic = try await bench.makeTopic()
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                try await lane.awaitPartitions(1)
                let begin = ContinuousClock.now
                let events = try await lane.lane.poll(maxRecords: 10, timeout: .milliseconds(100))
                let took = begin.duration(to: .now)
                try bench.expect(events.isEmpty, "something came")
                try bench.expect(took >= .milliseconds(90), "it took only \(took)")
                try bench.expect(took < .seconds(60), "it took \(took)")
            }
        },
        Self(name: "a record ends a poll that waits") { bench in
            let topic = try await bench.makeTopic()
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                try await lane.awaitPartitions(1)
                async let sent = bench.send(bench.records(["a"], topic))
                let begin = ContinuousClock.now
                let events = try await lane.lane.poll(maxRecords: 10, timeout: .seconds(120))
                try bench.expect(begin.duration(to: .now) < .seconds(100), "the poll waited on")
                try bench.expect(events.count, equals: 1, "events")
                _ = try await sent
            }
        },
        Self(name: "a wake ends the poll that waits, or else the next one") { bench in
            let topic = try await bench.makeTopic()
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { driver in
                try await driver.awaitPartitions(1)
                let lane = driver.lane
                // A lost wake costs a poll's whole time-out; anything less is the machine's own slowness.
                let begin = ContinuousClock.now
                lane.wake()
                _ = try await lane.poll(maxRecords: 10, timeout: .seconds(120))
                for _ in 0..<50 {
                    async let events = lane.poll(maxRecords: 10, timeout: .seconds(120))
                    await Task.yield()
                    lane.wake()
                    _ = try await events
                }
                try bench.expect(begin.duration(to: .now) < .seconds(100), "a wake was lost")
            }
        },
        Self(name: "a paused partition brings nothing until it is resumed, and nothing is lost") { bench in
            let topic = try await bench.makeTopic(partitions: 2)
            let first = TopicPartition(topic, 0)
            try await bench.send(bench.records(["a"], topic, 0))
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                _ = try await lane.read(1)
                // Resuming a partition that is not paused, or pausing twice, changes nothing.
                try await lane.lane.resume([first])
                try await lane.lane.pause([first])
                try await lane.lane.pause([first])
                try await bench.send(bench.records(["b", "c"], topic, 0))
                try await bench.send(bench.records(["d"], topic, 1))
                let other = try await lane.read(1)
                let more = try await lane.step(timeout: .milliseconds(200))
                try bench.expect((other + more).map(\.topicPartition.partition), equals: [1], "partitions read")
                try await lane.lane.resume([first])
                let read = try await lane.read(2)
                try bench.expect(read.map(\.offset), equals: [1, 2], "offsets after the pause")
            }
        },
        Self(name: "a lane refuses topics that do not exist, and calls after its close") { bench in
            try await bench.expect(.unknownTopic, "a lane on a missing topic") {
                _ = try await bench.log.makeLane(bench.laneConfiguration(topics: [bench.name("missing")]))
            }
            let topic = try await bench.makeTopic()
            let lane = try await bench.log.makeLane(bench.laneConfiguration(topics: [topic]))
            await lane.close()
            await lane.close()
            lane.wake()
            try await bench.expect(.closed, "poll") { _ = try await lane.poll(maxRecords: 1, timeout: .seconds(20)) }
            try await bench.expect(.closed, "start") { try await lane.start(at: [:]) }
            try await bench.expect(.closed, "release") { try await lane.release() }
            try await bench.expect(.closed, "pause") { try await lane.pause([]) }
            try await bench.expect(.closed, "resume") { try await lane.resume([]) }
            try await bench.expect(.closed, "commit") {
                try await lane.commit(LaneCommit(records: [], offsets: [TopicPartition(topic, 0): 0]))
            }
        },
    ]
}
