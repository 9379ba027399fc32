import IntentEvents
import IntentRuntime

extension EventLogConformance.Check {
    /// The members of a group, on logs that report them.
    static let members: [Self] = [
        Self(name: "a group's members are told, each with its partitions of all topics") { bench in
            guard let log = bench.log as? any MembershipLog else { return }
            let one = try await bench.makeTopic("one", partitions: 2)
            let two = try await bench.makeTopic("two", partitions: 2)
            let topics = [one, two]
            let configuration = bench.laneConfiguration("first", topics: topics)
            let none = try await log.members(of: configuration.group)
            try bench.expect(none, equals: [], "members of a group that nobody has joined")
            try await bench.withLane(configuration) { lane in
                _ = try await lane.awaitAssignment()
                let members = try await log.members(of: configuration.group)
                let partitions = topics.flatMap { topic in (0..<2).map { TopicPartition(topic, $0) } }
                try bench.expect(members.map(\.name), equals: [configuration.name.text], "members")
                try bench.expect(members.first?.partitions, equals: partitions.sorted(), "what it has")
                try bench.expect(members.first?.host.isEmpty, equals: false, "no host")
            }
        }
    ]
}
