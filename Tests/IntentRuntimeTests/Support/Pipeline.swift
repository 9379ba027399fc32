import CoreMetrics
import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab
import Logging
import Synchronization
import Testing

/// The three stages on a log in memory, with a client that sends events and waits for answers.
final class Pipeline: Sendable {
    let log: InMemoryLog
    let deployment: Deployment
    /// The clock of the workers.
    let clock: ShiftedClock
    private let makeWorkers: @Sendable () -> [StageWorker]
    private let running = Mutex<[(worker: StageWorker, task: Task<Void, any Error>)]>([])
    private let reader: any LogReader
    private let producer: any LogProducer
    private let pending = Mutex<[Event]>([])
    private let sequence = Mutex(0)

    private init(
        log: InMemoryLog,
        deployment: Deployment,
        clock: ShiftedClock,
        makeWorkers: @escaping @Sendable () -> [StageWorker],
        reader: any LogReader,
        producer: any LogProducer
    ) {
        self.log = log
        self.deployment = deployment
        self.clock = clock
        self.makeWorkers = makeWorkers
        self.reader = reader
        self.producer = producer
    }

    /// Runs the body with a pipeline that supports these intents.
    ///
    /// `limits` gives topics another `max.message.bytes` than the one they are created with: a larger one on `requests`
    /// admits what clients send compressed. `crashes` is called at each start of the workers.
    static func with(
        _ registrations: [IntentRegistration],
        restrictedWhileLocked: Set<String> = [],
        presentation: [IntentUIExtension] = [],
        settings: RuntimeSettings = RuntimeSettings(),
        ledger: (any EffectLedger)? = nil,
        isScripted: Bool = false,
        vocabularies: GlobalVocabularies = GlobalVocabularies(),
        partitions: Int = 4,
        limits: [Topic: Int] = [:],
        crashes: @escaping @autoclosure @Sendable () -> CrashWatch? = nil,
        threads: (any TaskExecutor)? = nil,
        tracing: TurnTracing? = nil,
        metrics: (any MetricsFactory)? = nil,
        logger: Logger = .tests(),
        checksWire: Bool = true,
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        let registry = try IntentRegistry(
            [IntentExtension("Tests", restrictedWhileLocked: restrictedWhileLocked) { registrations }],
            presentation: presentation
        )
        let log = InMemoryLog()
        for (topic, limit) in limits {
            var description = TopicDescription(name: topic.name(prefix: "intents"), partitions: partitions)
            description.configuration["max.message.bytes"] = String(limit)
            _ = try await log.createTopics([description])
        }
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: partitions), on: log)
        let redriveKey = try await deployment.makeRedriveKey(on: log)
        let clock = ShiftedClock()
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: ledger)
        wiring.redriveKey = redriveKey
        wiring.vocabularies = vocabularies
        wiring.clock = clock
        wiring.logger = logger
        let makeWorkers: @Sendable () -> [StageWorker] = { [wiring] in
            let watch = crashes()
            var wiring = wiring
            wiring.configure = { configuration in
                configuration.settings = settings
                configuration.isScripted = isScripted
                configuration.crashes = watch
                configuration.threads = threads
                configuration.tracing = tracing
                configuration.metrics = metrics
            }
            return wiring.workers()
        }
        let responses = (0..<partitions).map { TopicPartition(Topic.responses.name(prefix: "intents"), $0) }
        let pipeline = Pipeline(
            log: log,
            deployment: deployment,
            clock: clock,
            makeWorkers: makeWorkers,
            reader: try await log.makeReader(from: Dictionary(uniqueKeysWithValues: responses.map { ($0, 0) })),
            producer: try await log.makeProducer()
        )
        pipeline.startWorkers()
        do {
            try await body(pipeline)
        } catch {
            await pipeline.stopWorkers()
            throw error
        }
        await pipeline.stopWorkers()
        guard checksWire else { return }
        // Whatever the test's subject, all its records match the schemas.
        let check = try await WireCheck.all(of: deployment, on: log)
        #expect(check.defects.isEmpty, "\(check.defects.prefix(10).map(\.description).joined(separator: "\n"))")
    }

    private func startWorkers() {
        let started = self.makeWorkers().map { worker in (worker: worker, task: Task { try await worker.run() }) }
        self.running.withLock { $0 = started }
    }

    private func stopWorkers() async {
        let stopped = self.running.withLock { running in
            defer { running = [] }
            return running
        }
        for (worker, _) in stopped { worker.stop() }
        for (_, task) in stopped { _ = await task.result }
    }

    /// Sets the figures of the handlers that are at work now.
    func updateHandlerGauges() {
        for (worker, _) in self.running.withLock(\.self) { worker.metrics?.updateHandlerGauges() }
    }

    /// Ends all workers; others take their place, some time later.
    func restartWorkers(after duration: Duration = .zero) async {
        await self.stopWorkers()
        self.clock.advance(by: duration)
        self.startWorkers()
    }

    /// Ends all workers; others take their place when the body is done.
    func restartWorkers(_ body: () async throws -> Void) async throws {
        await self.stopWorkers()
        try await body()
        self.startWorkers()
    }

    /// Sends an event to the user's home partition, or to another one.
    func send(
        _ type: EventType,
        user: UserID = "u1",
        subject: InteractionID? = nil,
        partition: Int? = nil,
        headers: [LogHeader] = [],
        data: JSONValue
    ) async throws {
        let number = self.sequence.withLock { number in
            number += 1
            return number
        }
        let event = Event(
            id: "e\(number)",
            source: "/tests",
            type: type,
            time: Timestamp(milliseconds: 0),
            subject: subject,
            userID: user,
            data: data
        )
        try await self.write(
            partition: partition ?? HomePartition.of(user: user, count: self.deployment.partitions),
            value: event.data.utf8,
            headers: event.headers.map { LogHeader($0.name, bytes: $0.value) } + headers
        )
    }

    /// Writes bytes to `requests`.
    func write(
        partition: Int,
        timestamp: Int64? = nil,
        key: [UInt8]? = nil,
        value: [UInt8]?,
        headers: [LogHeader]
    ) async throws {
        let target = TopicPartition(Topic.requests.name(prefix: "intents"), partition)
        _ = try await self.producer.send([
            OutgoingRecord(topicPartition: target, timestamp: timestamp, key: key, value: value, headers: headers)
        ])
    }

    /// Waits until the stages have committed all records before the current ends.
    func settle() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        for stage in Stage.allCases {
            while true {
                let left = try await self.uncommitted(by: stage)
                if left.isEmpty { break }
                try #require(.now < deadline, "\(stage) has not come to the end: \(left)")
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// The last records before a stage that it has not committed.
    private func uncommitted(by stage: Stage) async throws -> [TopicPartition: Int64] {
        let group = stage.group(prefix: "intents")
        let places = [stage.inputTopic, .signals]
            .flatMap { topic in
                (0..<self.deployment.partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
            }
        let ends = try await self.log.offsets(places, at: .end)
        let committed = try await self.log.committedOffsets(group: group, partitions: places)
        // The end may also be a transaction's marker, which nobody commits.
        let records = try await self.last(of: places.filter { (committed[$0] ?? 0) < ends[$0] ?? 0 })
        return records.filter { $0.value >= committed[$0.key] ?? 0 }
    }

    /// The offset of the last record of partitions that have one.
    private func last(of partitions: [TopicPartition]) async throws -> [TopicPartition: Int64] {
        var last: [TopicPartition: Int64] = [:]
        let ends = try await self.log.offsets(partitions, at: .end)
        try await self.log.read(ends.mapValues { 0..<$0 }) { records in
            for record in records { last[record.topicPartition] = record.offset }
        }
        return last
    }

    /// Writes records as a command does.
    func write(_ records: [OutgoingRecord]) async throws { _ = try await self.producer.send(records) }

    /// Asks for an intent.
    func request(
        _ name: String,
        _ parameters: JSONObject = [:],
        user: UserID = "u1",
        subject: InteractionID,
        extra: JSONObject = [:]
    ) async throws {
        var data: JSONObject = extra
        data["intent"] = ["name": .string(name), "parameters": .object(parameters)]
        var userData = extra["user"]?.object ?? [:]
        userData["id"] = user.json
        data["user"] = .object(userData)
        try await self.send(.intentRequested, user: user, subject: subject, data: .object(data))
    }

    /// Answers a prompt.
    func answer(_ prompt: Event, user: UserID = "u1", _ answer: JSONObject) async throws {
        var data = answer
        data["promptId"] = prompt.data["promptId"]
        data["user"] = ["id": user.json]
        if data["action"] == nil { data["action"] = "accept" }
        try await self.send(.promptAnswered, user: user, data: .object(data))
    }

    /// Waits for the next event on `responses` that fits.
    ///
    /// When nothing has come for some seconds and the stages have processed everything, nothing will come. A
    /// conversation that hangs then reports what it waits for, and the stages' state. While a turn is parked, that takes
    /// longer.
    func next(_ what: String = "an event that fits", where fits: (Event) -> Bool) async throws -> Event {
        var quietSince = ContinuousClock.now
        var wasIdle = false
        while true {
            if let event = self.pending.withLock({ pending in
                pending.firstIndex(where: fits).map { pending.remove(at: $0) }
            }) {
                return event
            }
            let batch = try await self.reader.next(maxRecords: 100, timeout: .seconds(1))
            let events = try batch.records.map { record in
                try StoredRecord(record, topic: .responses).decoded()
            }
            // A batch may be empty: an aborted transaction moves the position too.
            if !events.isEmpty {
                quietSince = .now
                wasIdle = false
            } else if .now > quietSince + Self.patience {
                if wasIdle || .now > quietSince + Self.longPatience { throw try await self.nothingCame(what) }
                // What came while this was checked is read once more.
                wasIdle = try await self.isIdle()
            }
            self.pending.withLock { $0.append(contentsOf: events) }
        }
    }

    /// The time without events after which it is checked whether anything can still come; timers of tests are shorter.
    private static let patience = Duration.seconds(10)
    /// The time without events after which a turn that is still parked is given up, too.
    private static let longPatience = Duration.seconds(45)

    /// Whether the stages have processed everything; a parked turn still runs, although its event may be committed.
    private func isIdle() async throws -> Bool {
        for stage in Stage.allCases {
            guard try await self.uncommitted(by: stage).isEmpty else { return false }
        }
        return try await !self.kept().keys.contains { $0.name == .parked }
    }

    /// The state entries of all users.
    private func kept() async throws -> [StateKey: [UInt8]] {
        var kept: [StateKey: [UInt8]] = [:]
        for record in try await self.records(of: .state) {
            guard let key = record.key.flatMap(StateKey.init), !key.user.isEmpty else { continue }
            kept[key] = record.value
        }
        return kept
    }

    /// What came instead, and what waits in the stages.
    private func nothingCame(_ what: String) async throws -> NothingCame {
        let pending = self.pending.withLock { $0 }
        return NothingCame(
            what: what,
            instead: pending.map { "\($0.type) of \($0.subject?.text ?? "nobody's"): \($0.data)" },
            kept: try await self.kept()
                .map { "\(String(decoding: $0.bytes, as: UTF8.self)): \(String(decoding: $1, as: UTF8.self))" }.sorted()
        )
    }

    /// Waits for the next event of an interaction on `responses`.
    func next(of subject: InteractionID) async throws -> Event {
        try await self.next("the next event of \(subject)") { $0.subject == subject }
    }

    /// Waits for the end of an interaction, and skips its earlier responses.
    ///
    /// On a slow machine, one of them may say that the task is in progress.
    func end(of subject: InteractionID) async throws -> Event {
        try await self.next("the end of \(subject)") { $0.subject == subject && $0.data["terminal"] == true }
    }

    /// All records of a topic so far, in partition order.
    func records(of topic: Topic) async throws -> [LogRecord] {
        try await self.log.records(of: topic, self.deployment)
    }

    /// A conversation that hangs.
    struct NothingCame: Error, CustomStringConvertible {
        /// The expected event.
        var what: String
        /// The events that came and did not fit.
        var instead: [String]
        /// The stages' state.
        var kept: [String]

        var description: String {
            let lines = ["came instead:"] + self.instead + ["kept:"] + self.kept
            return "\(self.what) does not come\n\(lines.joined(separator: "\n"))"
        }
    }
}
