import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentGateway

@Suite("The gateway's view")
struct InteractionViewTests {
    private let deployment = Deployment(id: "0123456789abcdef0123456789abcdef", prefix: "intents", partitions: 2)

    private func database(_ directory: TemporaryDirectory, _ name: String) async throws -> ViewDatabase {
        let path = directory.file(name)
        let database = try await ViewDatabase.open(path, self.deployment, dedupeWindow: .seconds(3_600))
        _ = try await database.begin()
        return database
    }

    private func events(_ entries: [RandomHistory.Entry]) throws -> [ViewedEvent] {
        try entries.map { entry in
            let record = LogRecord(
                topicPartition: entry.record.topicPartition,
                offset: entry.offset,
                timestamp: entry.record.timestamp ?? 0,
                content: entry.record.content
            )
            return try #require(ViewedEvent(record, of: self.deployment))
        }
    }

    private func all(_ database: ViewDatabase) async throws -> [InteractionSnapshot] {
        var all: [InteractionSnapshot] = []
        for user in 0..<5 {
            all += try await database.interactions(of: UserID("u\(user)"), open: nil, before: nil, limit: 1_000)
                .map(\.snapshot)
        }
        return all.sorted { $0.id < $1.id }
    }

    @Test("Its lag is what the topics hold beyond what it has read; 0 when it has read everything")
    func measuresLag() async throws {
        try await Replicas.run(hasStages: false) { replicas in
            for number in 0..<3 {
                _ = try await replicas.desk.ask(
                    Replicas.lunch("soup", id: InteractionID("lunch-\(number)")),
                    by: Caller(userID: "ada")
                )
            }
            let idle = InteractionView(
                log: replicas.log,
                deployment: replicas.deployment,
                configuration: .init(path: "unused.sqlite"),
                logger: Replicas.logger
            )
            #expect(await idle.lag() ?? 0 >= 3)
            try await eventually { await replicas.views[0].lag() == 0 }
        }
    }

    @Test("It says what follows from the events, in whatever order the topics and batches are read", arguments: 0..<20)
    func followsFromEvents(seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        let history = RandomHistory(seed: seed, events: 300, deployment: self.deployment)
        let straight = try await self.database(directory, "straight.sqlite")
        _ = try await straight.add(try self.events(history.entries), [:])
        let expected = history.expected
        let seen = try await self.all(straight)
        #expect(seen.count == expected.count)
        for snapshot in seen {
            let found = RandomHistory.Expected(
                state: snapshot.state.rawValue,
                revision: snapshot.revision,
                prompt: snapshot.prompt,
                response: snapshot.response,
                activities: snapshot.activities.count,
                rejected: snapshot.rejection
            )
            #expect(found == expected[snapshot.id.text], "\(snapshot.id)")
        }

        // Each partition of each topic in its own order, and some records twice, as after a crash.
        var numbers = SeededNumbers(seed: seed, stream: 1)
        var rest = Dictionary(grouping: history.entries, by: \.record.topicPartition)
            .sorted { $0.key < $1.key }.map { $0.value[...] }
        let mixed = try await self.database(directory, "mixed.sqlite")
        while !rest.isEmpty {
            let index = numbers.below(rest.count)
            let count = min(rest[index].count, 1 + numbers.below(40))
            let part = Array(rest[index].prefix(count))
            _ = try await mixed.add(try self.events(part), [:])
            if numbers.oneIn(4) { _ = try await mixed.add(try self.events(part), [:]) }
            rest[index] = rest[index].dropFirst(count)
            if rest[index].isEmpty { rest.remove(at: index) }
        }
        #expect(try await self.all(mixed) == seen)
    }

    @Test("A view that continues with its file is the same as one that reads everything", arguments: 0..<5)
    func continues(seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let history = RandomHistory(seed: seed, events: 400, deployment: deployment)
        let records = history.entries.map(\.record)
        func run(_ name: String, batch: Int) async throws -> [InteractionSnapshot] {
            var configuration = InteractionView.Configuration(path: directory.file(name))
            configuration.batchRecords = batch
            let view = InteractionView(
                log: log,
                deployment: deployment,
                configuration: configuration,
                logger: Replicas.logger
            )
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await view.run() }
                try await eventually { view.isReady }
                let all = try await self.all(try view.readyDatabase())
                group.cancelAll()
                return all
            }
        }
        try await log.write(Array(records.prefix(150)))
        _ = try await run("continued.sqlite", batch: 7)
        try await log.write(Array(records.dropFirst(150)))
        let continued = try await run("continued.sqlite", batch: 50)
        #expect(try await run("fresh.sqlite", batch: 1_000) == continued)
        #expect(continued.count == history.expected.count)
    }

    @Test("A file of other topics, or behind what the topics hold, is filled again")
    func fillsAgain() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("view.sqlite")
        for round in 0..<2 {
            let log = InMemoryLog()
            let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
            let history = RandomHistory(seed: UInt64(round), events: 60, deployment: deployment)
            try await log.write(history.entries.map(\.record))
            for trimmed in [false, true] {
                if trimmed {
                    for topic in ViewedEvent.topics {
                        let partition = deployment.topicPartition(topic, 0)
                        let end = try await log.offsets([partition], at: .end)[partition] ?? 0
                        try log.trim(partition, to: end)
                    }
                    // More than was read is gone.
                    let later = RandomHistory(seed: 9, events: 60, deployment: deployment, prefix: "j")
                    try await log.write(later.entries.map(\.record))
                    let requests = deployment.topicPartition(.requests, 0)
                    let end = try await log.offsets([requests], at: .end)[requests] ?? 0
                    try log.trim(requests, to: end)
                }
                let view = InteractionView(
                    log: log,
                    deployment: deployment,
                    configuration: .init(path: path),
                    logger: Replicas.logger
                )
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await view.run() }
                    try await eventually { view.isReady }
                    let ids = Set(try await self.all(try view.readyDatabase()).map(\.id.text))
                    if trimmed {
                        #expect(!ids.isEmpty && ids.allSatisfy { $0.hasPrefix("j") })
                    } else {
                        #expect(ids == Set(history.expected.keys))
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test("What the topics hold no event of is removed, and nothing else")
    func prunes() async throws {
        let directory = try TemporaryDirectory()
        let database = try await self.database(directory, "view.sqlite")
        let history = RandomHistory(seed: 3, events: 200, deployment: self.deployment)
        _ = try await database.add(try self.events(history.entries), [:])
        let before = try await self.all(database)
        let cut: Int64 = 20
        var earliest: [TopicPartition: Int64] = [:]
        for topic in ViewedEvent.topics {
            for partition in self.deployment.topicPartitions(of: topic) { earliest[partition] = cut }
        }
        try await database.prune(earliest)
        let held = Set(
            history.entries.filter { $0.offset >= cut && $0.topic != .userActivities }
                .compactMap { $0.event.subject ?? PromptID($0.event.data["promptId"]?.string ?? "")?.interaction }
        )
        let after = Set(try await self.all(database).map(\.id))
        #expect(after.isSuperset(of: Set(before.map(\.id)).intersection(held)))
        #expect(after.count < before.count)
    }
}
