internal import IntentEvents
public import IntentKit
internal import IntentRuntime
internal import IntentScenarios
internal import Synchronization

/// One interaction from the user's side: what the user sends, and what comes back.
///
/// ```swift
/// let first = try await gym.ask("LogSetIntent", ["exercise": "press", "reps": 5])
/// let choice = try await first.prompt(.disambiguation, of: "exercise")
/// #expect(choice.options == ["bench press", "overhead press"])
/// try await first.choose("bench press")
/// ```
public final class TestConversation: Sendable {
    private struct State {
        var open: TestPrompt?
        var steps: [TestStep] = []
        var warnings: [TestWarning] = []
    }

    public let userID: String
    private let conversation: Conversation
    /// The intent's registration, which knows the titles of values; nil for an unsupported intent.
    private let registration: IntentRegistration?
    private let idleTimeout: Duration
    private let failure: @Sendable () -> String?
    private let state = Mutex(State())

    init(
        _ conversation: Conversation,
        about registration: IntentRegistration?,
        idleTimeout: Duration,
        failure: @escaping @Sendable () -> String?
    ) {
        self.registration = registration
        self.userID = conversation.userID.text
        self.conversation = conversation
        self.idleTimeout = idleTimeout
        self.failure = failure
    }

    deinit { self.conversation.close() }

    public var interactionID: String { self.conversation.id.text }

    /// The steps so far, in order.
    public var steps: [TestStep] { self.state.withLock(\.steps) }

    /// What was probably a mistake in the events that the test sent, in the order in which it was named (R79).
    public var warnings: [TestWarning] { self.state.withLock(\.warnings) }

    /// The id of the prompt that is open.
    func openPromptID() throws -> JSONValue {
        guard let id = self.state.withLock(\.open)?.data["promptId"] else {
            throw TestError("Nothing is asked in this conversation, so it cannot be set aside.\(self.soFar)")
        }
        return id
    }

    /// What its handler has started, as the responses name it.
    var started: [JSONValue] {
        self.steps.flatMap { step -> [JSONValue] in
            guard case .response(let response) = step else { return [] }
            return response.data["started"]?.array ?? []
        }
    }

    // MARK: Receiving

    /// Waits for the next step, of whatever kind.
    ///
    /// - Throws: ``TestError`` when nothing comes in time.
    @discardableResult
    public func next() async throws -> TestStep { try await self.next("anything") }

    /// Waits for a prompt; skips answers that handling takes longer.
    ///
    /// - Parameters:
    ///   - kind: The expected kind.
    ///   - parameter: The expected parameter; nil for a prompt about the whole intent.
    /// - Returns: The prompt; the next answer is to it.
    /// - Throws: ``TestError`` when something else comes, or nothing in time.
    @discardableResult
    public func prompt(_ kind: TestPrompt.Kind, of parameter: String? = nil) async throws -> TestPrompt {
        let wanted = "the prompt \(kind.rawValue)" + (parameter.map { " of \($0)" } ?? "")
        while true {
            let step = try await self.next(wanted)
            switch step {
            case .response(let response) where !response.isTerminal: continue
            case .prompt(let prompt) where prompt.kind == kind && prompt.parameter == parameter: return prompt
            case .prompt, .response, .statusUpdate, .notification, .rejected: throw self.error(wanted, instead: step)
            }
        }
    }

    /// Waits for the end; skips answers that handling takes longer.
    ///
    /// - Returns: The terminal response.
    /// - Throws: ``TestError`` when something else comes, or nothing in time.
    @discardableResult
    public func response() async throws -> TestResponse {
        while true {
            let step = try await self.next("the end")
            switch step {
            case .response(let response) where response.isTerminal: return response
            case .response: continue
            case .prompt, .statusUpdate, .notification, .rejected: throw self.error("the end", instead: step)
            }
        }
    }

    // MARK: Sending

    /// Answers the prompt with a value.
    public func answer(_ value: JSONValue) async throws {
        try await self.reply(["action": "accept", "value": value])
    }

    /// Chooses one of the options: by its value, its identifier, the words in which it is offered, or its number from 1.
    ///
    /// Declared words count in any language, those of a resolver in the language of the request.
    ///
    /// - Throws: ``TestError`` when the option does not exist.
    public func choose(_ option: JSONValue) async throws {
        let prompt = self.state.withLock(\.open)
        let options = prompt?.options ?? []
        let parameter = self.registration?.parameters.first { $0.name == prompt?.parameter }
        let meant = PromptOffer.options(
            of: prompt?.data ?? .null,
            meantBy: option,
            locale: "en",
            of: parameter,
            parameter.flatMap { self.registration?.constraints[$0.name] }
        )
        guard meant.count == 1 else {
            throw TestError("\(option) is not offered. Offered: \(JSONValue.array(options)).")
        }
        try await self.choose(at: meant[0])
    }

    /// Chooses the option at an index, from 0.
    public func choose(at index: Int) async throws {
        try await self.reply(["action": "accept", "choice": .integer(Int64(index))])
    }

    /// Says yes, optionally with corrected values.
    public func accept(corrections: JSONObject = [:]) async throws {
        try await self.reply(["action": "accept"], corrections)
    }

    /// Says no, optionally with corrected values.
    public func decline(corrections: JSONObject = [:]) async throws {
        try await self.reply(["action": "decline"], corrections)
    }

    /// Sends `interaction.cancelled` for this interaction.
    public func cancel() async throws { try await self.send(.interactionCancelled, [:]) }

    /// Sends `user.authenticated`: interactions of the user that wait for it continue.
    public func signIn() async throws { try await self.send(.userAuthenticated, [:]) }

    /// Sends `device.unlocked`: interactions of the user that wait for it continue.
    public func unlock(device: String) async throws {
        try await self.send(.deviceUnlocked, ["device": ["id": .string(device)]])
    }

    /// Reports, as the app, the result of what was handed to it (R33).
    public func reportFromApp(code: String, details: JSONObject = [:]) async throws {
        try await self.send(.appResponded, ["code": .string(code), "response": .object(details)])
    }

    // MARK: Implementation

    private func reply(_ answer: JSONObject, _ corrections: JSONObject = [:]) async throws {
        guard let prompt = self.state.withLock(\.open) else {
            throw TestError("Nothing was asked: wait for a prompt before you answer.\(self.soFar)")
        }
        var answer = answer
        if !corrections.isEmpty { answer["corrections"] = .object(corrections) }
        answer["promptId"] = prompt.data["promptId"]
        try await self.send(.promptAnswered, answer)
    }

    func send(_ type: EventType, _ data: JSONObject) async throws {
        var data = data
        if data["user"] == nil { data["user"] = ["id": .string(self.userID)] }
        try await self.conversation.send([self.conversation.makeEvent(type.rawValue, data: .object(data))])
    }

    private func next(_ wanted: String) async throws -> TestStep {
        while true {
            let event: Event
            do {
                event = try await self.conversation.next(timeout: self.idleTimeout)
            } catch {
                throw TestError("Waited for \(wanted): \(self.message(for: error)).\(self.soFar)")
            }
            guard let step = Self.step(event) else { continue }
            self.state.withLock { state in
                state.steps.append(step)
                for warning in (event.data["warnings"]?.array ?? []).compactMap(TestWarning.init(_:)) {
                    // The terminal response repeats those of the events before it.
                    if !state.warnings.contains(warning) { state.warnings.append(warning) }
                }
                switch step {
                case .prompt(let prompt): state.open = prompt
                case .response(let response) where response.isTerminal: state.open = nil
                case .response, .statusUpdate, .notification, .rejected: break
                }
            }
            return step
        }
    }

    private func message(for failure: Conversation.Failure) -> String {
        if let failure = self.failure() { return "a worker has ended (\(failure))" }
        switch failure {
        case .timedOut, .silence: return "no event within \(self.idleTimeout)"
        case .overflow: return "more events than a conversation can have"
        case .clientEnded(let reason): return reason
        }
    }

    private func error(_ wanted: String, instead step: TestStep) -> TestError {
        TestError("Waited for \(wanted), but got \(step.description).\(self.soFar)")
    }

    private var soFar: String {
        let steps = self.steps
        return steps.isEmpty ? "" : " So far: " + steps.map(\.description).joined(separator: "; ") + "."
    }

    private static func step(_ event: Event) -> TestStep? {
        switch event.knownType {
        case .promptIssued: TestPrompt(event.data).map(TestStep.prompt)
        case .intentResponded: .response(TestResponse(event.data))
        case .statusUpdated: .statusUpdate(event.data)
        case .userNotified:
            .notification(
                name: event.data["name"]?.string ?? "",
                dialog: event.data["dialog"]?.string ?? "",
                details: event.data["details"]?.object ?? [:]
            )
        case .eventRejected:
            .rejected(reason: event.data["reason"]?.string ?? "", detail: event.data["detail"]?.string ?? "")
        default: nil
        }
    }
}
