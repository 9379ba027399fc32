public import Foundation
internal import InMemoryLog
internal import IntentEvents
public import IntentKit
internal import IntentRuntime
internal import IntentScenarios
internal import Logging
internal import Synchronization

/// intentd in a test: the three stages, a log and a store in memory, and a clock that can be advanced.
///
/// Everything but the broker is real: turns, transactions, prompts, the journal, and SQLite.
///
/// ```swift
/// try await TestDeployment.with(.gym) { gym in
///     let first = try await gym.ask("LogSetIntent", ["exercise": "press", "reps": 5])
///     let choice = try await first.prompt(.disambiguation, of: "exercise")
///     #expect(choice.options == ["bench press", "overhead press"])
///     try await first.choose("bench press")
///     try await first.prompt(.needsValue, of: "weight")
///     try await first.answer(80)
///     #expect(try await first.response().code == "success")
/// }
/// ```
public final class TestDeployment: Sendable {
    /// The options of a deployment.
    public struct Configuration: Sendable {
        /// When the deployment's time begins.
        public var beginning = TestClock.usualBeginning
        /// The global vocabularies (R25).
        public var vocabularies = GlobalVocabularies()
        /// The presenters of responses and prompts (R38).
        public var presentation: [IntentUIExtension] = []
        /// How long a test waits for a step before it fails, in real time.
        public var patience = Duration.seconds(10)

        public init() {}
    }

    /// The store that handlers read and change.
    public let store: TestStore
    /// The deployment's time.
    public let clock: TestClock

    let log: InMemoryLog
    let deployment: Deployment
    let registry: IntentRegistry
    let configuration: Configuration
    let client: ConversationClient
    private let failure = Mutex<String?>(nil)
    private let asked = Mutex(0)

    private init(_ extensions: [IntentExtension], _ configuration: Configuration) async throws {
        self.registry = try IntentRegistry(extensions, presentation: configuration.presentation)
        self.configuration = configuration
        self.store = try TestStore(migrations: extensions.flatMap(\.migrations))
        self.clock = TestClock(beginning: configuration.beginning)
        self.log = InMemoryLog()
        (self.deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: self.log)
        self.client = try await ConversationClient(
            self.deployment,
            on: self.log,
            source: "/tests",
            clock: WorkerClock(clock: self.clock),
            adoptsFollowUps: true
        )
    }

    /// Runs the body while the extensions' intents are served.
    ///
    /// - Parameters:
    ///   - extensions: The intents and their handlers.
    ///   - configuration: The options.
    ///   - body: The test.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; `IntentRegistry.ConfigurationError` when the extensions do not fit together; an
    ///   error with SQLite's words when a migration cannot be applied; ``TestError`` when a worker failed.
    public static func with<Value>(
        _ extensions: IntentExtension...,
        configuration: Configuration = Configuration(),
        _ body: (TestDeployment) async throws -> Value
    ) async throws -> Value {
        let deployment = try await TestDeployment(extensions, configuration)
        return try await deployment.run(body)
    }

    private func run<Value>(_ body: (TestDeployment) async throws -> Value) async throws -> Value {
        let workers = Stage.allCases.map(self.worker)
        let tasks = workers.map { worker in
            Task {
                do {
                    try await worker.run()
                } catch {
                    self.failure.withLock { $0 = $0 ?? "\(error)" }
                }
            }
        }
        let talking = Task { try await self.client.run() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(self))
        } catch {
            result = .failure(error)
        }
        for worker in workers { worker.stop() }
        for task in tasks { await task.value }
        talking.cancel()
        _ = await talking.result
        if let failure = self.failure.withLock(\.self), case .success = result {
            throw TestError("A worker has ended: \(failure)")
        }
        return try result.get()
    }

    private func worker(_ stage: Stage) -> StageWorker {
        var configuration = StageWorker.Configuration(stage: stage, name: "test")
        configuration.isScripted = true
        configuration.settings.formats.writes = self.deployment.format
        var logger = Logger(label: "intentd.test") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return StageWorker(
            configuration,
            deployment: self.deployment,
            log: self.log,
            registry: self.registry,
            ledger: self.store.ledger,
            vocabularies: self.configuration.vocabularies,
            clock: WorkerClock(clock: self.clock),
            logger: logger
        )
    }

    /// Requests an intent.
    ///
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - parameters: The values that the user has given already.
    ///   - user: The user's id.
    ///   - device: The user's device.
    ///   - locale: The user's language, as a BCP 47 tag.
    ///   - timeZone: The user's time zone; nil for `interactions.timeZone`, which is UTC.
    ///   - expiresAt: When the request expires.
    ///   - groupIdentifier: Groups interactions that belong together.
    ///   - other: The conversation whose open prompt is set aside, and to which the user goes back (R78).
    /// - Returns: The conversation that the request starts.
    /// - Throws: An error of the log when it was closed; ``TestError`` when nothing is asked in the other conversation.
    public func ask(
        _ intent: String,
        _ parameters: JSONObject = [:],
        as user: RequestingUser = RequestingUser(id: "anna"),
        from device: RequestingDevice = RequestingDevice(),
        locale: String = "en-US",
        timeZone: TimeZone? = nil,
        expiresAt: Date? = nil,
        groupIdentifier: String? = nil,
        settingAside other: TestConversation? = nil
    ) async throws -> TestConversation {
        let setsAside = try other?.openPromptID()
        let number = self.asked.withLock { number in
            number += 1
            return number
        }
        let conversation = TestConversation(
            self.client.open(id: InteractionID("test-\(number)"), userID: UserID(user.id)),
            about: self.registry[intent]?.registration,
            idleTimeout: self.configuration.patience,
            failure: { self.failure.withLock(\.self) }
        )
        let data = JSONValue.members([
            "intent": ["name": .string(intent), "parameters": .object(parameters)],
            "user": [
                "id": .string(user.id), "authorization": .string(user.authorization.rawValue),
                "authenticated": .bool(user.isAuthenticated), "contactsAccess": .bool(user.hasContactsAccess),
            ],
            "device": .members([
                "id": device.id.map(JSONValue.string), "locked": device.isLocked.map(JSONValue.bool),
                "appVersion": device.appVersion.map(JSONValue.string),
            ]),
            "locale": .string(locale),
            "timeZone": timeZone.map { .string($0.identifier) },
            "expiresAt": expiresAt.map { .string($0.ISO8601Format()) },
            "groupIdentifier": groupIdentifier.map(JSONValue.string),
            "setsAside": setsAside,
        ])
        try await conversation.send(.intentRequested, data.object ?? [:])
        return conversation
    }

    /// The conversation that a handler has started (R77); one for later begins when the ``clock`` is advanced.
    ///
    /// - Parameters:
    ///   - name: The handler's name for it.
    ///   - conversation: The conversation whose handler has started it, after a response was received.
    /// - Returns: The conversation; call this once for each.
    /// - Throws: ``TestError`` when no response names it.
    public func followUp(_ name: String, of conversation: TestConversation) async throws -> TestConversation {
        let started = conversation.started
        guard let one = started.first(where: { $0["name"]?.string == name }), let id = one["interaction"]?.string else {
            let names = started.compactMap { $0["name"]?.string }
            throw TestError("No response has started \(name). Started: \(names.joined(separator: ", ")).")
        }
        let user = one["user"]?.string ?? conversation.userID
        return TestConversation(
            self.client.open(id: InteractionID(id), userID: UserID(user)),
            about: one["intent"]?.string.flatMap { self.registry[$0]?.registration },
            idleTimeout: self.configuration.patience,
            failure: { self.failure.withLock(\.self) }
        )
    }

    /// Replaces a user's vocabulary of one type (R37); later requests use it.
    ///
    /// - Throws: An error of the log when it was closed.
    public func setVocabulary(
        _ type: VocabularyStringType,
        _ entries: [VocabularyEntry],
        of user: String = "anna"
    ) async throws {
        let event = Event(
            id: "vocabulary-\(UUID().uuidString)",
            source: "/tests",
            type: .vocabularyReplaced,
            time: self.clock.timestamp,
            subject: nil,
            userID: UserID(user),
            data: [
                "type": .string(type.rawValue), "strings": .array(entries.map(\.json)), "user": ["id": .string(user)],
            ]
        )
        try await self.client.send([event])
    }
}
