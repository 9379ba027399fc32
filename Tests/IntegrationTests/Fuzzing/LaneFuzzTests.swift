import InMemoryLog
import IntentDomains
import IntentEvents
import IntentRuntime
import IntentTestKit
import Logging
import Testing

@testable import IntentKit
@testable import IntentStore

@Suite("Real lanes under hostile clients")
struct LaneFuzzTests {
    /// An intent whose resolver suspends, so that its turn is parked and what follows waits behind it.
    private struct SlowIntent: Intent {
        static let intentName = "Fuzz.Slow"

        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        var name: String?

        static let parameters: [IntentParameter<Self>] = [.init("name", \.name)]
    }

    private struct SlowHandler: IntentHandler {
        static let resolvers: [ParameterResolver<Self>] = [.init(\.name, using: Self.resolve)]

        func resolve(_ intent: SlowIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            try await Task.sleep(for: .milliseconds(15))
            return intent.name.map { .success(with: $0) } ?? .needsValue()
        }

        func handle(intent: SlowIntent, context: TurnContext) async throws -> IntentResponse<SlowIntent> {
            IntentResponse(code: .success)
        }
    }

    private static let partitions = 2

    /// A user at home in each partition.
    private static var users: [UserID] {
        (0..<Self.partitions)
            .compactMap { partition in
                (0..<100).map { UserID("good-\($0)") }
                    .first { HomePartition.of(user: $0, count: Self.partitions) == partition }
            }
    }

    /// What a round writes: events at their ends, bursts behind a slow one, records that are none or too large.
    private func round(
        _ number: Int,
        _ maker: inout EventMaker,
        _ prompts: [(id: String, user: String)]
    ) -> [OutgoingRecord] {
        var records: [(user: String, headers: [LogHeader], value: [UInt8])] = (0..<8)
            .map { _ in
                let made = maker.event(prompts: prompts)
                return (made.user, made.record.headers, made.record.value)
            }
        let user = "u\(number % 3)"
        let headers = [LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", user)]
        // One that suspends, and behind it more than may wait, some of it no event.
        let slow = Array(
            #"{"intent":{"name":"Fuzz.Slow"\#(number % 2 == 0 ? #","parameters":{"name":"n"}"# : "")}}"#.utf8
        )
        for value in [slow, slow, slow, Array("{".utf8), slow, [0xFF]] { records.append((user, headers, value)) }
        if number % 12 == 0 {
            records.append((user, headers, Array(repeating: UInt8(ascii: "x"), count: 4_300_000)))
            records.append((user, headers + [LogHeader("x", bytes: Array(repeating: 0, count: 4_300_000))], slow))
        }
        return records.enumerated()
            .map { place, record in
                let home = HomePartition.of(user: UserID(record.user), count: Self.partitions)
                return OutgoingRecord(
                    topicPartition: TopicPartition(
                        "intents.requests",
                        place % 4 == 3 ? (home + 1) % Self.partitions : home
                    ),
                    key: nil,
                    value: record.value,
                    headers: record.headers
                )
            }
    }

    @Test("Whatever comes, with turns suspended, queues full and topics that have limits: everybody else is answered")
    func everybodyElseIsAnswered() async throws {
        let directory = try TemporaryDirectory()
        let extensions =
            FuzzedIntents.extensions + [IntentExtension("Slow") { [IntentRegistration { SlowHandler() }] }]
        let ledger = try await SQLiteLedger.open(
            at: directory.file("store.sqlite"),
            migrations: extensions.flatMap(\.migrations)
        )
        let log = InMemoryLog()
        var requests = TopicDescription(name: "intents.requests", partitions: Self.partitions)
        requests.configuration["max.message.bytes"] = String(64 << 20)
        _ = try await log.createTopics([requests])
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let registry = try IntentRegistry(extensions)
        var settings = RuntimeSettings()
        settings.parkAfter = .milliseconds(1)
        settings.queueLimit = 2
        var logger = Logger(label: "fuzz")
        logger.logLevel = .critical
        let workers = Stage.allCases.map { stage in
            var configuration = StageWorker.Configuration(stage: stage, name: "fuzz")
            configuration.settings = settings
            return StageWorker(
                configuration,
                deployment: deployment,
                log: log,
                registry: registry,
                ledger: ledger,
                logger: logger
            )
        }
        let running = workers.map { worker in Task { try await worker.run() } }
        do {
            try await self.play(on: log, extensions)
        } catch {
            for worker in workers { worker.stop() }
            throw error
        }
        for worker in workers { worker.stop() }
        for task in running { try await task.value }
        let check = try await WireCheck.all(of: deployment, on: log)
        #expect(check.defects.isEmpty, "\(check.defects.prefix(10).map(\.description).joined(separator: "\n"))")
    }

    private func play(on log: InMemoryLog, _ extensions: [IntentExtension]) async throws {
        let producer = try await log.makeProducer()
        let places = (0..<Self.partitions).map { (TopicPartition("intents.responses", $0), Int64(0)) }
        let reader = try await log.makeReader(from: Dictionary(uniqueKeysWithValues: places))
        var maker = EventMaker(seed: 1)
        maker.users = ["u0", "u1", "u2"]
        maker.intents = extensions.flatMap(\.registrations)
            .map { registration in
                (registration.intentName, registration.parameters.map { ($0.name, $0.typeName) })
            }
        var prompts: [(id: String, user: String)] = []
        for number in 0..<48 {
            _ = try await producer.send(self.round(number, &maker, prompts))
            var missing: Set<String> = []
            for user in Self.users {
                let subject = "\(user)/\(number)"
                missing.insert(subject)
                let record = OutgoingRecord(
                    topicPartition: TopicPartition(
                        "intents.requests",
                        HomePartition.of(user: user, count: Self.partitions)
                    ),
                    key: nil,
                    value: Array(#"{"intent":{"name":"Fuzz.Note"}}"#.utf8),
                    headers: [
                        LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", user.text),
                        LogHeader("ce_subject", subject),
                    ]
                )
                _ = try await producer.send([record])
            }
            let deadline = ContinuousClock.now + .seconds(60)
            while !missing.isEmpty {
                try #require(.now < deadline, "round \(number): \(missing) are not answered")
                for record in try await reader.next(maxRecords: 500, timeout: .seconds(1)).records {
                    let data = record.value.flatMap { try? JSONValue(parsing: $0) }
                    if let id = data?["promptId"]?.string, data?["kind"] != nil, let user = data?["user"]?["id"]?.string
                    {
                        prompts = (prompts + [(id, user)]).suffix(12)
                    }
                    guard data?["terminal"] == true, let subject = record.header("ce_subject"),
                        missing.remove(subject) != nil
                    else { continue }
                    #expect(data?["endReason"] == "nominal", "\(subject)")
                }
            }
        }
        await reader.close()
        await producer.close()
        #expect(!prompts.isEmpty)
    }
}
