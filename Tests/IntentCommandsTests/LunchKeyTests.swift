import Foundation
import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import IntentScenarios
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R30: each request gets its own order from the Python service", .timeLimit(.minutes(2)))
struct LunchKeyTests {
    private static let example = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/PythonService")

    /// The intents of `lunch.yaml`, with the service on that port.
    private static func intents(_ port: Int, in directory: TemporaryDirectory) throws -> IntentSet {
        let yaml = try PythonProgram.definition(in: Self.example.appending(path: "lunch.yaml"), port: port)
        let definition = try directory.write(yaml, to: "lunch.yaml")
        var configuration = Configuration()
        configuration.values[Setting.definitions.key] = .init(value: .list([definition]), origin: .byDefault)
        let empty = try TemporaryDirectory()
        for setting in [Setting.promptsDirectory, .vocabularies] {
            configuration.values[setting.key] = .init(value: .text(empty.path), origin: .byDefault)
        }
        return try IntentSet(configuration, sources: HandlerSources(), directory: empty.path)
    }

    /// Orders a soup and says yes; the number of the order.
    private static func order(_ id: InteractionID, _ user: UserID, _ client: ConversationClient) async throws -> Int64?
    {
        let conversation = client.open(id: id, userID: user)
        defer { conversation.close() }
        let parameters: JSONValue = ["restaurant": "Old Mill", "dishes": ["soup"], "time": "12:30"]
        let intent: JSONValue = ["name": "OrderLunch", "parameters": parameters]
        try await conversation.send([
            conversation.makeEvent("intent.requested", data: ["intent": intent, "user": ["id": user.json]])
        ])
        let prompt = try await conversation.next(timeout: .seconds(60))
        try #require(prompt.data["kind"] == "intentConfirmation", "\(prompt.data)")
        let promptID = try #require(prompt.data["promptId"])
        let yes: JSONValue = ["promptId": promptID, "action": "accept", "user": ["id": user.json]]
        try await conversation.send([conversation.makeEvent("prompt.answered", data: yes)])
        var end = try await conversation.next(timeout: .seconds(60))
        while end.data["terminal"] != true { end = try await conversation.next(timeout: .seconds(60)) }
        #expect(end.data["code"] == "success", "\(end.data)")
        return end.data["response"]?["order"]?.integer
    }

    /// A lookup by id says which interaction is shown, and can select each of them.
    private static func showsEach(
        _ deployment: Deployment,
        _ log: InMemoryLog,
        in directory: TemporaryDirectory
    ) async throws {
        _ = try await RecordDatabase.rebuild(at: directory.file("records.sqlite"), from: log, prefix: deployment.prefix)
        let first = try #require(
            try await log.records(of: .requests, deployment).first { $0.header("ce_userid") == "ann" }
        )
        let selections = [
            ([], 3), (["--user", "bob"], 2), (["--user", "ann"], 3),
            (["--request", "\(first.topicPartition.partition):\(first.offset)"], 1),
        ]
        for (selection, order) in selections {
            let shown = await Printed.by(["show", "lunch-1", "--json", "--data", directory.path] + selection)
            #expect(shown.status == 0)
            for other in 1...3 {
                #expect(shown.text.contains("\"order\":\(other)") == (other == order), "\(selection)")
            }
        }
        let nobody = ["--user", "bob", "--request", "9:9"]
        #expect(await RootCommand.run(["show", "lunch-1", "--data", directory.path] + nobody) == 66)
    }

    @Test(
        "Two users with one id, and one user who reuses it later, each get their own order",
        .enabled(if: PythonProgram.isThere)
    )
    func usersWithSameIDGetOwnOrders() async throws {
        let directory = try TemporaryDirectory()
        let port = try PythonProgram.freePort()
        let service = try PythonProgram(
            Self.example.appending(path: "lunch.py").path,
            "\(port)",
            directory.file("lunch.db")
        )
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let intents = try Self.intents(port, in: directory)
        var wiring = StageWiring(deployment, on: log, registry: intents.registry)
        wiring.configure = { $0.settings.dedupeWindow = .zero }
        let workers = wiring.workers()
        let client = try await ConversationClient(deployment, on: log)
        let orders = try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            group.addTask { try await client.run() }
            var orders: [Int64?] = []
            for user: UserID in ["ann", "bob", "ann"] { orders.append(try await Self.order("lunch-1", user, client)) }
            for worker in workers { worker.stop() }
            group.cancelAll()
            try await group.waitForAll()
            return orders
        }
        #expect(orders == [1, 2, 3])
        try await Self.showsEach(deployment, log, in: directory)
        await log.close()
        withExtendedLifetime(service) {}
    }
}
