import Foundation
import IntentEvents
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R6, R31: workers refuse topics and stores that do not fit")
struct DeploymentStatusTests {
    @Test(
        "Topics that are missing, incomplete, or differ in their number of partitions are refused",
        .timeLimit(.minutes(1))
    )
    func refusesMissingOrMismatchedTopics() async throws {
        try await BrokerDirectory.with { log, options in
            #expect(await RootCommand.run(["work", "resolve"] + options) == 78)
            #expect(await RootCommand.run(["produce", "/dev/null"] + options) == 78)
            var plan = TopicPlan(partitions: 4).topics()
            plan[0].partitions = 3
            _ = try await log.createTopics(Array(plan.dropLast()))
            #expect(await RootCommand.run(["work", "resolve"] + options) == 78)
            _ = try await log.createTopics(plan.suffix(1))
            #expect(await RootCommand.run(["work", "resolve"] + options) == 78)
            #expect(await RootCommand.run(["topics", "create"] + options) == 78)
            #expect(await RootCommand.run(["topics", "describe"] + options) == 0)
            #expect(await RootCommand.run(["topics", "describe", "nope"] + options) == 66)
        }
    }

    @Test("Topics are created once, and never with another number of partitions", .timeLimit(.minutes(1)))
    func createsTopicsOnceWithOnePartitionCount() async throws {
        try await BrokerDirectory.with { log, options in
            let impossible = ["topics", "create", "--min-insync-replicas", "2"]
            #expect(await RootCommand.run(impossible + options) == 78)
            #expect(await RootCommand.run(["topics", "create", "--partitions", "2"] + options) == 0)
            #expect(await RootCommand.run(["topics", "create"] + options) == 0)
            #expect(await RootCommand.run(["topics", "create", "--partitions", "4"] + options) == 78)
            let topics = try await log.topics()
            #expect(topics.filter { $0.partitions == 2 }.count == Topic.allCases.count)
            #expect(await RootCommand.run(["lag", "--json"] + options) == 0)
        }
    }

    @Test("R81: status fails for stages that nobody reads, and with 69 where nothing answers", .timeLimit(.minutes(1)))
    func statusOfStagesThatNobodyReads() async throws {
        let nowhere = try TemporaryDirectory()
        #expect(await RootCommand.run(["status", "--data", nowhere.path]) == 69)
        try await BrokerDirectory.with { _, options in
            #expect(await RootCommand.run(["topics", "create", "--partitions", "2"] + options) == 0)
            let status = await Printed.by(["status"] + options)
            #expect(status.status == 1)
            #expect(status.lines.first == "NOT OK")
            for role in WorkerRole.allCases {
                let line = "NOT OK: intents.\(role.rawValue): no consumers; lag 0"
                #expect(status.lines.contains(line), "\(status.text)")
            }
            #expect(await RootCommand.run(["config", "show", "--running"] + options) == 69)
        }
    }

    /// Runs a command of the program `intentd`, whose sample apps have a store.
    private static func run(_ words: [String]) async -> Int32 {
        await HandlerSources.$current.withValue(.intentd) { await RootCommand.run(words) }
    }

    @Test("A store of another deployment is refused", .timeLimit(.minutes(1)))
    func refusesStoreOfAnotherDeployment() async throws {
        try await BrokerDirectory.with { log, options in
            let deployment = try await Deployment.create(TopicPlan(partitions: 1), on: log).deployment
            try await deployment.claim(store: "another store", on: log)
            #expect(await Self.run(["work", "handle"] + options) == 78)
        }
    }

    @Test("A store whose topics are gone, or whose topics have another prefix, is refused", .timeLimit(.minutes(1)))
    func refusesStoreWhoseTopicsAreGoneOrRenamed() async throws {
        let directory = try TemporaryDirectory()
        let options = ["--data", directory.path, "--log-level", "critical"]
        func start(_ prefix: String) async throws {
            var configuration = Configuration()
            configuration.values[Setting.samples.key] = .init(value: .text("true"), origin: .byDefault)
            configuration.values[Setting.data.key] = .init(value: .text(directory.path), origin: .byDefault)
            configuration.values[Setting.prefix.key] = .init(value: .text(prefix), origin: .byDefault)
            configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
            let intents = try IntentSet(configuration, sources: .intentd)
            try await LogAccess.start(configuration, listen: nil)
                .use { log in
                    _ = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
                }
        }
        try await start("intents")
        try await start("intents")
        await #expect(throws: DeploymentError.self) { try await start("other") }
        #expect(await Self.run(["up", "--prefix", "other"] + options) == 78)
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where !name.hasPrefix("store.sqlite") {
            try FileManager.default.removeItem(atPath: directory.file(name))
        }
        await #expect(throws: DeploymentError.self) { try await start("intents") }
        #expect(await Self.run(["up"] + options) == 78)
    }
}
