public import Foundation
internal import IntentEvents
public import IntentKit
internal import IntentRuntime
internal import IntentStore
internal import Synchronization

/// One handler by itself: asked to resolve, to confirm and to do, with a store in memory and a time that stands still.
///
/// For what a handler decides. What the stages make of it, prompts and answers, is ``TestDeployment``'s.
///
/// ```swift
/// @Test func bestSetIsAsked() async throws {
///     let handler = try TestHandler("LogSetIntent", of: .gym)
///     #expect(try await handler.resolve("reps", in: ["reps": 1_000]) == .single(.unsupported(nil)))
/// }
/// ```
/// It stands for one interaction: a handler that is called again is called as after a crash, and gets the effects that it
/// has made already.
public struct TestHandler: Sendable {
    /// Who asks.
    public var user = RequestingUser(id: "anna")
    /// From which device.
    public var device = RequestingDevice()
    /// The user's language, as a BCP 47 tag.
    public var locale = "en-US"
    /// The turn's time.
    public var now = TestClock.usualBeginning
    /// Which try of the turn it is, from 1.
    public var attempt = 1
    /// The user's own words (R37).
    public var vocabulary: [VocabularyStringType: [VocabularyEntry]] = [:]
    /// The words that all users share (R25).
    public var vocabularies = GlobalVocabularies()

    /// The store that the handler reads and changes.
    public let store: TestStore

    private let registration: IntentRegistration
    private let request: RequestID

    /// Takes a handler.
    ///
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - intentExtension: The extension that has its handler.
    ///   - store: The store; nil for a new one with the extension's tables.
    /// - Throws: ``TestError`` when the extension has no such intent; `IntentRegistry.ConfigurationError` when the
    ///   extension does not fit together; an error with SQLite's words when a migration cannot be applied.
    public init(_ intent: String, of intentExtension: IntentExtension, store: TestStore? = nil) throws {
        guard let entry = try IntentRegistry([intentExtension])[intent] else {
            let names = intentExtension.registrations.map(\.intentName).sorted().joined(separator: ", ")
            throw TestError("\(intentExtension.name) has no handler for \(intent). What it has: \(names).")
        }
        self.registration = entry.registration
        self.store = try store ?? TestStore(of: intentExtension)
        self.request = RequestID("0:\(self.store.nextRequest())")
    }

    /// Has a parameter resolved.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - parameters: The intent's values.
    /// - Returns: What the resolver says; nil when there is none, and the value is taken as it is.
    /// - Throws: ``TestError`` when there is no such parameter; what the handler throws.
    public func resolve(_ parameter: String, in parameters: JSONObject) async throws -> ParameterOutcome? {
        let names = self.registration.parameters.map(\.name)
        guard names.contains(parameter) else {
            let known = names.joined(separator: ", ")
            throw TestError("\(self.registration.intentName) has no parameter \(parameter). What it has: \(known).")
        }
        let snapshot = self.snapshot(parameters)
        return try await self.registration.resolve(parameter, snapshot, self.context(.resolve, snapshot))
    }

    /// Has the handler say whether it could do it.
    ///
    /// - Throws: What the handler throws.
    public func confirm(_ parameters: JSONObject) async throws -> HandlerResponse {
        let snapshot = self.registration.complete(self.snapshot(parameters))
        return try await self.registration.confirm(snapshot, self.context(.confirm, snapshot))
    }

    /// Has the handler do it.
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
        let environment = StageEnvironment(
            stage: stage,
            registry: .empty,
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
            now: self.now,
            attempt: self.attempt,
            script: nil,
            host: host
        )
    }
}

/// A user's state of whom nothing is known but their words.
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
