import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// Lanes of a group share partitions, and fence each other.
    static let groups: [Self] = [
        Self(name: "lanes of a group have the same partition numbers of every topic") { bench in
            let topics = [
                try await bench.makeTopic("one", partitions: 5), try await bench.makeTopic("two", partitions: 5),
            ]
            try await bench.withLane(bench.laneConfiguration("a", topics: topics)) { first in
                try await first.awaitPartitions(10)
                try await bench.withLane(bench.laneConfiguration("b", topics: topics)) { second in
                    try await bench.share(10, first, second)
                    try bench.expect(first.partitions.isDisjoint(with: second.partitions), "a partition is held twice")
                    for lane in [first, second] {
                        let numbers = topics.map { topic in
                            Set(lane.partitions.filter { $0.topic == topic }.map(\.partition))
                        }
                        try bench.expect(numbers[0], equals: numbers[1], "numbers of the two topics")
                    }
                }
            }
        },
        Self(name: "groups do not take records from each other") { bench in
            let topic = try await bench.makeTopic()
            try await bench.send(bench.records(["a", "b"], topic))
            for group in ["one", "two"] {
                try await bench.withLane(bench.laneConfiguration(group: group, topics: [topic])) { lane in
                    try bench.expect(try await lane.read(2).map(\.offset), equals: [0, 1], "read by \(group)")
                    try await lane.commit()
                }
            }
        },
        Self(name: "a re-created lane gets the same partitions, and the older one is fenced") { bench in
            let source = try await bench.makeTopic("source", partitions: 2)
            let sink = try await bench.makeTopic("sink")
            try await bench.send(bench.records(["a"], source))
            try await bench.withLane(bench.laneConfiguration(topics: [source])) { old in
                _ = try await old.read(1)
                let partitions = old.partitions
                try await bench.withLane(bench.laneConfiguration(topics: [source])) { new in
                    try await bench.expect(.fenced, "the older lane's commit") {
                        try await old.commit(bench.records(["old"], sink))
                    }
                    let read = try await new.read(1)
                    try bench.expect(new.partitions, equals: partitions, "partitions")
                    try bench.expect(read.map(\.offset), equals: [0], "read")
                    try await new.commit(bench.records(["new"], sink))
                    try await bench.expect(.fenced, "the older lane's poll") {
                        let deadline = ContinuousClock.now + bench.conditions.timeout
                        while ContinuousClock.now < deadline {
                            _ = try await old.step(timeout: .milliseconds(100))
                        }
                    }
                }
            }
            let read = try await bench.readAll(sink)
            try bench.expect(read.map { String(decoding: $0.value ?? [], as: UTF8.self) }, equals: ["new"], "outputs")
        },
        Self(name: "a lane that falls silent loses its partitions and is fenced") { bench in
            let source = try await bench.makeTopic("source")
            let sink = try await bench.makeTopic("sink")
            try await bench.send(bench.records(["a"], source))
            try await bench.withLane(bench.laneConfiguration("a", topics: [source])) { silent in
                _ = try await silent.read(1)
                // "A" sorts before "a": range assignment gives it the only partition as soon as it can.
                try await bench.withLane(bench.laneConfiguration("A", topics: [source])) { heir in
                    let read = try await heir.read(1)
                    try bench.expect(read.map(\.offset), equals: [0], "read")
                    try await heir.commit(bench.records(["heir"], sink))
                    try await bench.expect(.fenced, "the silent lane's commit") {
                        try await silent.commit(bench.records(["silent"], sink))
                    }
                }
            }
            let read = try await bench.readAll(sink)
            try bench.expect(read.map { String(decoding: $0.value ?? [], as: UTF8.self) }, equals: ["heir"], "outputs")
        },
        Self(name: "a lane that polls again after its silence learns what it has lost, and rejoins") { bench in
            let source = try await bench.makeTopic("source")
            try await bench.withLane(bench.laneConfiguration("b", topics: [source])) { silent in
                try await silent.awaitPartitions(1)
                try await bench.withLane(bench.laneConfiguration("a", topics: [source])) { heir in
                    try await heir.awaitPartitions(1)
                    var events: [LaneEvent] = []
                    let deadline = ContinuousClock.now + bench.conditions.timeout
                    while events.isEmpty, ContinuousClock.now < deadline {
                        events = try await silent.lane.poll(maxRecords: 10, timeout: .milliseconds(100))
                    }
                    guard case .revoked(let partitions, lost: true)? = events.first else {
                        throw ConformanceFailure("the lane was told \(events)")
                    }
                    try bench.expect(partitions, equals: [TopicPartition(source, 0)], "what is lost")
                    try await silent.release()
                    while silent.assignments < 2 || silent.partitions.count + heir.partitions.count != 1 {
                        _ = try await heir.step(timeout: .milliseconds(20))
                        _ = try await silent.step(timeout: .milliseconds(20))
                        try bench.expect(ContinuousClock.now < deadline, "the lane did not rejoin")
                    }
                    for lane in [silent, heir] where !lane.partitions.isEmpty {
                        try await lane.lane.commit(
                            LaneCommit(records: [], offsets: [TopicPartition(source, 0): 0])
                        )
                    }
                }
            }
        },
        Self(name: "a lane that goes for good leaves its partitions to the others at once") { bench in
            let topic = try await bench.makeTopic(partitions: 4)
            try await bench.withLane(bench.longSession("a", topic)) { leaver in
                try await bench.withLane(bench.longSession("b", topic)) { other in
                    try await bench.share(4, leaver, other)
                    await leaver.close(.leaveGroup)
                    try await other.awaitPartitions(4)
                    guard let log = bench.log as? any MembershipLog else { return }
                    let configuration = bench.longSession("b", topic)
                    let members = try await log.members(of: configuration.group).map(\.name)
                    try bench.expect(members, equals: [configuration.name.text], "members")
                }
            }
        },
        Self(name: "a lane that goes for good while it joins is no member afterwards") { bench in
            guard let log = bench.log as? any MembershipLog else { return }
            let topic = try await bench.makeTopic(partitions: 2)
            let configuration = bench.longSession("b", topic)
            // It hears of the join in its next heartbeat, within the time that the other one takes to close.
            let first = bench.laneConfiguration("a", topics: [topic])
            try await bench.withLane(first) { member in
                try await member.awaitPartitions(2)
                try await bench.withLane(configuration) { joining in
                    // The group answers the join only when the member, which does not poll, has joined again.
                    let deadline = ContinuousClock.now + bench.conditions.timeout
                    while try await log.members(of: configuration.group).count < 2 {
                        try bench.expect(ContinuousClock.now < deadline, "the lane did not begin to join")
                    }
                    let lane = joining.lane
                    async let closed: Void = lane.close(.leaveGroup)
                    var members = 2
                    while members > 1 || member.partitions.count < 2 {
                        _ = try await member.step(timeout: .milliseconds(20))
                        members = try await log.members(of: configuration.group).count
                        try bench.expect(ContinuousClock.now < deadline, "the lane is still a member")
                    }
                    await closed
                }
                let members = try await log.members(of: configuration.group).map(\.name)
                try bench.expect(members, equals: [first.name.text], "members")
            }
        },
        Self(name: "a lane that comes back finds its partitions, and the others notice nothing") { bench in
            // A log without session time-outs keeps no place for a lane that has left.
            guard let log = bench.log as? any MembershipLog else { return }
            let topic = try await bench.makeTopic(partitions: 4)
            let configuration = bench.longSession("a", topic)
            try await bench.withLane(configuration) { leaver in
                try await bench.withLane(bench.longSession("b", topic)) { other in
                    try await bench.share(4, leaver, other)
                    let partitions = leaver.partitions
                    let assignments = other.assignments
                    await leaver.close(.remainInGroup)
                    let members = try await log.members(of: configuration.group)
                    try bench.expect(members.count, equals: 2, "members after one has left")
                    try await bench.withLane(configuration) { returned in
                        try await bench.share(4, returned, other)
                        try bench.expect(returned.partitions, equals: partitions, "partitions")
                        try bench.expect(other.assignments, equals: assignments, "the other lane's assignments")
                    }
                }
            }
        },
        Self(name: "a lane without partitions cannot commit") { bench in
            let topic = try await bench.makeTopic()
            let topicPartition = TopicPartition(topic, 0)
            try await bench.withLane(bench.laneConfiguration(topics: [topic])) { lane in
                try await bench.expect(.fenced, "a commit before any assignment") {
                    try await lane.lane.commit(LaneCommit(records: [], offsets: [topicPartition: 0]))
                }
            }
            try await bench.withLane(bench.laneConfiguration("b", topics: [topic])) { lane in
                try await lane.awaitPartitions(1)
                try await bench.expect(.fenced, "a commit for a partition of somebody else") {
                    try await lane.lane.commit(LaneCommit(records: [], offsets: [TopicPartition(topic, 7): 0]))
                }
            }
        },
        Self(name: "nothing is lost or repeated while lanes come and go") { bench in
            let source = try await bench.makeTopic("source", partitions: 4)
            let sink = try await bench.makeTopic("sink", partitions: 4)
            let count = 2_000
            try await bench.send((0..<count).map { bench.records(["\($0)"], source, $0 % 4)[0] })
            func copy(_ lane: LaneDriver) async throws -> Int {
                let read = try await lane.step(maxRecords: 50, timeout: .milliseconds(20))
                guard !read.isEmpty else { return 0 }
                try await lane.commit(
                    read.map {
                        OutgoingRecord(
                            topicPartition: TopicPartition(sink, $0.topicPartition.partition),
                            key: $0.key,
                            value: $0.value
                        )
                    }
                )
                return read.count
            }
            try await bench.withLane(bench.laneConfiguration("a", topics: [source])) { first in
                var copied = 0
                while copied < 500 {
                    copied += try await copy(first)
                }
                try await bench.withLane(bench.laneConfiguration("b", topics: [source])) { second in
                    let deadline = ContinuousClock.now + bench.conditions.timeout
                    while copied < count {
                        copied += try await copy(first)
                        copied += try await copy(second)
                        try bench.expect(ContinuousClock.now < deadline, "only \(copied) records were copied")
                    }
                }
            }
            let read = try await bench.readAll(sink, partitions: 4)
            let values = read.compactMap { Int(String(decoding: $0.value ?? [], as: UTF8.self)) }
            try bench.expect(values.sorted(), equals: Array(0..<count), "copies")
        },
    ]
}
