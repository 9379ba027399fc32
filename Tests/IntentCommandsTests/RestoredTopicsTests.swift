import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R31: restored topics do not fit a later store")
struct RestoredTopicsTests {
    private struct PayIntent: Intent {
        static let intentName = "PayIntent"
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        @Parameter var amount: Int?
    }

    private struct PayHandler: IntentHandler {
        var handling: Handling<PayIntent> {
            Confirm(self.confirm)
            Handle(self.handle)
        }

        func confirm(intent: PayIntent, context: TurnContext) async throws -> IntentResponse<PayIntent> {
            IntentResponse(code: .ready)
        }

        func handle(intent: PayIntent, context: TurnContext) async throws -> IntentResponse<PayIntent> {
            let amount = intent.amount ?? 0
            // A handler that ignores that nothing was done must not succeed.
            let paid = try? await context.effect("pay") { _ in amount }
            return IntentResponse(code: .success, details: ["paid": .integer(Int64(paid ?? -1))])
        }
    }

    private struct Complete: Error {}

    private let directory: TemporaryDirectory
    private let configuration: Configuration

    init() throws {
        self.directory = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(self.directory.file("var")), origin: .byDefault)
        configuration.values[Setting.topicsPartitions.key] = .init(value: .integer(1), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        self.configuration = configuration
    }

    /// Starts the embedded broker on the directory, sends a request if there is one, and works until the interaction
    /// has its response.
    private func work(sending amount: Int?, before: Bool = false, until id: String) async throws -> JSONValue {
        let sources = HandlerSources(
            own: [IntentExtension("Tests") { [IntentRegistration(confirmation: .never) { PayHandler() }] }]
        )
        let intents = try IntentSet(self.configuration, sources: sources)
        let access = try await LogAccess.start(self.configuration, listen: nil)
        return try await access.use { log in
            let assembly = try await Assembly.make(self.configuration, log: log, intents: intents, creatingTopics: true)
            if before, let amount { try await self.send(amount, as: id, assembly) }
            let services = try assembly.services(
                WorkerRole.allCases.filter { $0.stage != nil },
                name: "test",
                lanes: 1,
                isScripted: false
            )
            return try await assembly.run(services)
                .during {
                    if !before, let amount { try await self.send(amount, as: id, assembly) }
                    return try await self.response(of: id, assembly)
                }
        }
    }

    private func send(_ amount: Int, as id: String, _ assembly: Assembly) async throws {
        let text = """
            {"type":"intent.requested","subject":"\(id)","data":{"intent":{"name":"PayIntent",\
            "parameters":{"amount":\(amount)}},"user":{"id":"ann"}}}
            """
        var input = try LineReader(try self.directory.write(text, to: "\(id).ndjson"), maximumLineBytes: 1_000)
        let producer = try await assembly.log.makeProducer()
        var feed = EventFeed(producer: producer, to: assembly.deployment, rate: nil)
        try await feed.run(&input)
        await producer.close()
    }

    /// The terminal response, once it is there.
    private func response(of id: String, _ assembly: Assembly) async throws -> JSONValue {
        let partitions = (0..<assembly.deployment.partitions).map { TopicPartition("intents.responses", $0) }
        let line = RecordLine(prefix: "intents", masking: .revealed)
        var found: JSONValue = .null
        do {
            try await LogFollower(log: assembly.log, partitions: partitions)
                .run(fromBeginning: true, untilEnd: false) {
                    for event in $0.map(line.json)
                    where event["subject"]?.string == id && event["data"]?["terminal"] == true {
                        found = event["data"]?["response"] ?? .null
                        throw Complete()
                    }
                }
        } catch is Complete {
            // It is there.
        }
        return found
    }

    /// Restores the saved directory, except for the store if that is to stay.
    private func restore(keepingStore: Bool) throws {
        let files = FileManager.default
        let (data, kept) = (self.directory.file("var"), self.directory.file("store.kept"))
        if keepingStore { try files.copyItem(atPath: data + "/store.sqlite", toPath: kept) }
        try files.removeItem(atPath: data)
        try files.copyItem(atPath: self.directory.file("backup"), toPath: data)
        guard keepingStore else { return }
        try files.removeItem(atPath: data + "/store.sqlite")
        try files.moveItem(atPath: kept, toPath: data + "/store.sqlite")
    }

    /// A deployment whose broker was restored after another request was carried out.
    private func prepare() async throws {
        #expect(try await self.work(sending: 1, until: "first")["paid"] == 1)
        try FileManager.default.copyItem(
            atPath: self.directory.file("var"),
            toPath: self.directory.file("backup")
        )
        #expect(try await self.work(sending: 20, until: "lost")["paid"] == 20)
    }

    private func refusal(_ body: () async throws -> JSONValue) async throws -> OperationError {
        let error = await #expect(throws: (any Error).self) {
            let response = try await body()
            Issue.record("It was answered: \(response)")
        }
        return try #require(error.flatMap(OperationError.init))
    }

    @Test("A worker refuses a partition that ends before what the store knows (78)", .timeLimit(.minutes(2)))
    func refusesPartitionThatEndsBeforeStore() async throws {
        try await self.prepare()
        try self.restore(keepingStore: true)
        let failure = try await self.refusal { try await self.work(sending: nil, until: "never") }
        #expect(failure.code == .configuration)
        let words = "holds requests of intents.requests[0] up to offset 1, but the topic ends at 1"
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.message.contains("replace the store by one of the same time"), "\(failure.message)")
        // Files that belong together continue.
        try self.restore(keepingStore: false)
        #expect(try await self.work(sending: 300, until: "new")["paid"] == 300)
    }

    @Test(
        "A request at the position of a lost one does not get its effect, and ends the worker (78)",
        .timeLimit(.minutes(2))
    )
    func requestInPlaceOfLostOneEndsWorker() async throws {
        try await self.prepare()
        try self.restore(keepingStore: true)
        let failure = try await self.refusal { try await self.work(sending: 300, before: true, until: "new") }
        #expect(failure.code == .configuration)
        #expect(failure.message.contains("another request that was at 0:1"), "\(failure.message)")
        // None of it was committed: with the store of the same time, the request is carried out.
        let files = FileManager.default
        try files.removeItem(atPath: self.directory.file("var/store.sqlite"))
        try files.copyItem(
            atPath: self.directory.file("backup/store.sqlite"),
            toPath: self.directory.file("var/store.sqlite")
        )
        #expect(try await self.work(sending: nil, until: "new")["paid"] == 300)
    }
}
