#if DEBUG || FUZZING
import Logging

@testable import InMemoryLog
@testable import IntentEvents
@testable import IntentKit
@testable import IntentRuntime
@testable import IntentLab
@testable import IntentLedger

/// The three stages as workers with lanes, over a log in memory whose topics have their limits, under hostile clients.
///
/// Handlers suspend, so that turns are parked and later events wait behind them. Both the suite (`LaneFuzzTests`) and
/// libFuzzer's target `events` drive it.
final class FuzzedLanes {
    /// A defect that was found.
    struct Defect: Error, CustomStringConvertible {
        var description: String
    }

    private static let partitions = 2

    /// Whether a prompt was issued yet.
    var hasPrompted: Bool { !self.prompts.isEmpty }

    private let log: InMemoryLog
    private let deployment: Deployment
    private let intents: [FuzzedIntents.Shape]
    private let pipeline: Pipeline
    private let producer: any LogProducer
    private let reader: any LogReader
    private var prompts: [(id: String, user: String)] = []
    private var round = 0

    /// Starts the workers, with effects in a store of their own.
    init(_ extensions: [IntentExtension], store: String) async throws {
        let extensions = extensions + [IntentExtension("Slow") { [IntentRegistration { SlowHandler() }] }]
        self.intents = FuzzedIntents.shapes(of: extensions)
        let ledger = try await SQLiteLedger.open(at: store, migrations: extensions.flatMap(\.migrations))
        let log = InMemoryLog()
        var requests = TopicDescription(name: "intents.requests", partitions: Self.partitions)
        requests.configuration["max.message.bytes"] = String(64 << 20)
        _ = try await log.createTopics([requests])
        let deployment = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log).deployment
        let registry = try IntentRegistry(extensions)
        var settings = RuntimeSettings()
        settings.parkAfter = .milliseconds(1)
        settings.queueLimit = 2
        var logger = Logger(label: "fuzz")
        logger.logLevel = .critical
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: ledger)
        wiring.name = "fuzz"
        wiring.logger = logger
        wiring.configure = { [settings] in $0.settings = settings }
        let pipeline = try await Pipeline(wiring)
        pipeline.startWorkers()
        self.pipeline = pipeline
        self.producer = try await log.makeProducer()
        let starts = (0..<Self.partitions).map { (TopicPartition("intents.responses", $0), Int64(0)) }
        self.reader = try await log.makeReader(from: Dictionary(uniqueKeysWithValues: starts))
        self.log = log
        self.deployment = deployment
    }

    /// Stops the workers, and checks everything that they have written.
    func stop() async throws {
        if let error = await self.pipeline.stopWorkers() { throw error }
        await self.reader.close()
        await self.producer.close()
        let check = try await WireCheck.all(of: self.deployment, on: self.log)
        await self.log.close()
        guard check.defects.isEmpty else {
            throw Defect(description: check.defects.prefix(10).map(\.description).joined(separator: "\n"))
        }
    }

    /// Feeds one input: one event per line (`FuzzedEvent`), then some that are generated from the wire's own
    /// descriptions, and bursts behind a slow one.
    ///
    /// A valid request of a user at home in each partition must then be answered normally.
    ///
    /// - Throws: The defect.
    func play(_ input: [UInt8]) async throws {
        self.round += 1
        var records = input.split(separator: UInt8(ascii: "\n"), maxSplits: 20)
            .enumerated()
            .map { index, line in FuzzedEvent(line: line).outgoing(partition: index % Self.partitions) }
        var maker = EventMaker(seed: FuzzedEvent.seed(of: input))
        maker.users = ["u0", "u1", "u2"]
        maker.intents = self.intents
        records += self.makeRecords(&maker)
        var missing: Set<String> = []
        for (partition, user) in Self.users.enumerated() {
            let subject = "\(user)/\(self.round)"
            missing.insert(subject)
            records.append(
                OutgoingRecord(
                    topicPartition: TopicPartition("intents.requests", partition),
                    key: nil,
                    value: Array(#"{"intent":{"name":"Fuzz.Note"}}"#.utf8),
                    headers: [
                        LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", user.text),
                        LogHeader("ce_subject", subject),
                    ]
                )
            )
        }
        _ = try await self.producer.send(records)
        try await self.waitForEnds(of: missing)
    }

    private func waitForEnds(of subjects: Set<String>) async throws {
        var missing = subjects
        let deadline = ContinuousClock.now + .seconds(60)
        while !missing.isEmpty {
            guard .now < deadline else {
                throw Defect(description: "round \(self.round): \(missing) are not answered")
            }
            for record in try await self.reader.next(maxRecords: 500, timeout: .seconds(1)).records {
                let data = record.value.flatMap { try? JSONValue(parsing: $0) }
                if let id = data?["promptId"]?.string, data?["kind"] != nil, let user = data?["user"]?["id"]?.string {
                    self.prompts = (self.prompts + [(id, user)]).suffix(12)
                }
                guard data?["terminal"] == true, let subject = record.header("ce_subject"),
                    missing.remove(subject) != nil
                else { continue }
                guard data?["endReason"] == "nominal" else {
                    throw Defect(description: "\(subject) ends with \(data?["endReason"] ?? .null)")
                }
            }
        }
    }

    /// A user at home in each partition.
    private static let users: [UserID] = (0..<FuzzedLanes.partitions)
        .compactMap { partition in
            (0..<100).map { UserID("good-\($0)") }
                .first { HomePartition.of(user: $0, count: FuzzedLanes.partitions) == partition }
        }

    /// The events that are written besides an input: extreme values, bursts behind a slow one, invalid or oversized
    /// records.
    private func makeRecords(_ maker: inout EventMaker) -> [OutgoingRecord] {
        var records: [(user: String, headers: [LogHeader], value: [UInt8])] = []
        for _ in 0..<8 {
            let made = maker.event(prompts: self.prompts)
            records.append((made.user, made.record.headers, made.record.value))
        }
        let user = "u\(self.round % 3)"
        let headers = [LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", user)]
        // One that suspends, and behind it more than may wait, some of it no event.
        let slow = Array(
            #"{"intent":{"name":"Fuzz.Slow"\#(self.round % 2 == 0 ? #","parameters":{"name":"n"}"# : "")}}"#.utf8
        )
        // The first is parked, and claims to be about an impossible request.
        records.append((user, headers + [LogHeader("ce_request", "x")], slow))
        for value in [slow, slow, Array("{".utf8), slow, [0xFF]] { records.append((user, headers, value)) }
        if self.round % 12 == 1 {
            records.append((user, headers, Array(repeating: UInt8(ascii: "x"), count: 4_300_000)))
            records.append((user, headers + [LogHeader("x", bytes: Array(repeating: 0, count: 4_300_000))], slow))
        }
        return records.enumerated()
            .map { index, record in
                let home = HomePartition.of(user: UserID(record.user), count: Self.partitions)
                return OutgoingRecord(
                    topicPartition: TopicPartition(
                        "intents.requests",
                        index % 4 == 3 ? (home + 1) % Self.partitions : home
                    ),
                    key: nil,
                    value: record.value,
                    headers: record.headers
                )
            }
    }
}

/// An intent whose resolver suspends, so that its turn is parked and later events wait behind it.
private struct SlowIntent: Intent {
    static let intentName = "Fuzz.Slow"

    enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
    }

    @Parameter var name: String?
}

private struct SlowHandler: IntentHandler {
    var handling: Handling<SlowIntent> {
        Resolve(by: self.resolve, \.$name)
        Handle(self.handle)
    }

    func resolve(_ intent: SlowIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        try await Task.sleep(for: .milliseconds(15))
        return intent.name.map { .success(with: $0) } ?? .needsValue()
    }

    func handle(intent: SlowIntent, context: TurnContext) async throws -> IntentResponse<SlowIntent> {
        IntentResponse(code: .success)
    }
}
#endif
