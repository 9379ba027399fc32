public import Foundation
internal import IntentEvents
public import IntentKit
internal import IntentLedger
internal import IntentRuntime
internal import Synchronization

/// Calls one handler by itself, with a store in memory and a fixed time.
///
/// It is for what a handler decides. Use ``TestDeployment`` for what the stages make of it, such as prompts and
/// answers.
///
/// ```swift
/// let handler = try TestHandler("LogSetIntent", of: .gym)
/// for _ in 0..<2 {
///     let response = try await handler.handle(["exercise": "deadlift", "reps": 5, "weight": 100])
///     #expect(response.details["setsSoFar"] == 1)
/// }
/// #expect(try await handler.effects() == ["log set"])
/// ```
/// It stands for one interaction: calling a handler again is like calling it after a crash, and returns the effects
/// that it has made already.
public struct TestHandler: Sendable {
    public var user = RequestingUser(id: "anna")
    /// The device from which the user asks.
    public var device = RequestingDevice()
    /// The user's language, as a BCP 47 tag.
    public var locale = "en-US"
    /// The user's time zone.
    public var timeZone = TimeZone.gmt
    /// The turn's time.
    public var now = TestClock.usualBeginning
    /// The number of the try of this turn, from 1.
    public var attempt = 1
    /// The values that the user was offered and has declined, by parameter (R72a).
    public var declined: [String: [JSONValue]] = [:]
    /// The user's own vocabulary (R37).
    public var vocabulary: [VocabularyStringType: [VocabularyEntry]] = [:]
    /// The global vocabularies (R25).
    public var vocabularies = GlobalVocabularies()

    /// The store that the handler reads and changes.
    public let store: TestStore

    private let registration: IntentRegistration
    private let request: RequestID

    /// Prepares a handler.
    ///
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - intentExtension: The extension that has its handler.
    ///   - store: The store; nil for a new one with the extension's tables.
    /// - Throws: ``TestError`` when the extension lacks the intent; `IntentRegistry.ConfigurationError` when the
    ///   extension does not fit together; an error with SQLite's words when a migration cannot be applied.
    public init(_ intent: String, of intentExtension: IntentExtension, store: TestStore? = nil) throws {
        guard let entry = try IntentRegistry([intentExtension])[intent] else {
            let names = intentExtension.registrations.map(\.intentName).sorted().joined(separator: ", ")
            throw TestError("\(intentExtension.name) has no handler for \(intent). It has handlers for \(names).")
        }
        self.registration = entry.registration
        self.store = try store ?? TestStore(of: intentExtension)
        self.request = RequestID("0:\(self.store.nextRequest())")
    }

    /// Resolves a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - parameters: The intent's values.
    /// - Returns: The resolver's outcome; nil when there is no resolver, and the value is used as it is.
    /// - Throws: ``TestError`` when the parameter does not exist; what the handler throws.
    public func resolve(_ parameter: String, in parameters: JSONObject) async throws -> ParameterOutcome? {
        let names = self.registration.parameters.map(\.name)
        guard names.contains(parameter) else {
            let known = names.joined(separator: ", ")
            throw TestError(
                "\(self.registration.intentName) has no parameter \(parameter). Its parameters are \(known)."
            )
        }
        let snapshot = self.snapshot(parameters)
        return try await self.registration.resolve(parameter, snapshot, self.context(.resolve, snapshot))
    }

    /// Calls the handler's `confirm`.
    ///
    /// - Throws: What the handler throws.
    public func confirm(_ parameters: JSONObject) async throws -> HandlerResponse {
        let snapshot = self.registration.complete(self.snapshot(parameters))
        return try await self.registration.confirm(snapshot, self.context(.confirm, snapshot))
    }

    /// Calls the handler's `handle`.
    ///
    /// - Throws: What the handler throws.
    public func handle(_ parameters: JSONObject) async throws -> HandlerResponse {
        let snapshot = self.registration.complete(self.snapshot(parameters))
        return try await self.registration.handle(snapshot, self.context(.handle, snapshot))
    }

    /// The names of the effects that the handler has made, in order.
    ///
    /// - Throws: What the store throws.
    public func effects() async throws -> [String] {
        try await self.store.ledger.effects(origin: self.request.text)
    }

    private func snapshot(_ parameters: JSONObject) -> IntentSnapshot {
        IntentSnapshot(name: self.registration.intentName, parameters: parameters)
    }

    private func context(_ stage: Stage, _ snapshot: IntentSnapshot) -> TurnContext {
        let interaction = Interaction(
            id: InteractionID("test-\(self.request.text)"),
            request: self.request,
            startedAt: Timestamp(milliseconds: Int64((self.now.timeIntervalSince1970 * 1_000).rounded())),
            user: self.user,
            device: self.device,
            locale: self.locale,
            intent: snapshot
        )
        var settings = RuntimeSettings()
        // Handlers have everything that a new deployment has.
        settings.formats.writes = RecordFormats.ofNewDeployments
        let environment = StageEnvironment(
            stage: stage,
            registry: .empty,
            settings: settings,
            ledger: self.store.ledger,
            deployment: "test",
            prefix: "intents",
            partitions: 1,
            worker: "test",
            globalVocabularies: self.vocabularies
        )
        let offset = self.request.text.split(separator: ":").last.flatMap { Int64($0) } ?? 0
        let host = LiveTurnHost(
            environment: environment,
            identifiers: TurnIdentifiers(
                deployment: "test",
                stage: stage,
                position: RecordPosition(stage.inputTopic, 0, offset)
            ),
            attempt: self.attempt,
            interaction: interaction,
            user: UserID(self.user.id),
            source: TestState(self.vocabulary)
        )
        return TurnContext(
            interactionID: interaction.id.text,
            groupIdentifier: nil,
            user: self.user,
            device: self.device,
            locale: self.locale,
            timeZone: self.timeZone.identifier,
            now: self.now,
            attempt: self.attempt,
            script: nil,
            keys: .request(self.request.text, deployment: environment.deployment),
            declinedValues: self.declined,
            host: host
        )
    }
}

/// The state of a user, with nothing but vocabularies.
private struct TestState: StateSource {
    private let texts: [StateName: [UInt8]]

    init(_ vocabulary: [VocabularyStringType: [VocabularyEntry]]) {
        self.texts = Dictionary(
            uniqueKeysWithValues: vocabulary.map { type, entries in
                (StateName.vocabulary(type), UserVocabulary(version: "test", entries: entries).json.utf8)
            }
        )
    }

    func entry(_ name: StateName) -> StateEntry? { self.texts[name].map(StateEntry.init(text:)) }

    func names(prefix: StateFamily) -> [StateName] { self.texts.keys.filter { $0.hasPrefix(prefix) }.sorted() }
}
