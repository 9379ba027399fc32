import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

/// A conversation of the user `u1` with one stage about the interaction `i1`, turn by turn (``StillTurn``).
final class StillConversation {
    private let stage: Stage
    private let registrations: [IntentRegistration]
    private let behaviour: Int
    private let settings: RuntimeSettings
    private let ledger: (any EffectLedger)?
    private let table = StateTable()
    private var offset: Int64 = 6
    /// The last prompt.
    private(set) var prompt: JSONValue = .null

    init(
        in stage: Stage = .resolve,
        behaviour: Int = 6,
        format: Int = 2,
        ledger: (any EffectLedger)? = nil,
        _ registrations: [IntentRegistration]
    ) {
        self.stage = stage
        self.behaviour = behaviour
        var settings = RuntimeSettings()
        settings.formats.writes = format
        self.settings = settings
        self.ledger = ledger
        self.registrations = registrations
    }

    /// The interaction as the stage keeps it; nil when it has none.
    var interaction: Interaction? { self.table.form(.interaction("0:7"), user: "u1", Interaction.self) }

    /// Requests an intent.
    @discardableResult
    func request(_ intent: String, _ parameters: JSONObject = [:]) async throws -> TurnResult {
        let data: JSONValue = [
            "intent": ["name": .string(intent), "parameters": .object(parameters)], "user": ["id": "u1"],
        ]
        return try await self.receive(.intentRequested, data, on: .requests)
    }

    /// Answers the last prompt.
    @discardableResult
    func answer(_ answer: JSONObject) async throws -> TurnResult {
        var data = answer
        data["promptId"] = self.prompt["promptId"]
        data["user"] = ["id": "u1"]
        return try await self.receive(.promptAnswered, .object(data), on: self.stage.inputTopic)
    }

    /// Runs the turn of an event, and commits its state.
    @discardableResult
    func receive(
        _ type: EventType,
        _ data: JSONValue,
        on topic: Topic,
        at now: Timestamp = StillTurn.start,
        about subject: InteractionID = "i1"
    ) async throws -> TurnResult {
        self.offset += 1
        let stored = StillTurn.stored(type, data, on: topic, offset: self.offset, about: subject)
        let result = try #require(
            try await StillTurn.run(
                stored,
                in: self.stage,
                self.registrations,
                self.table,
                at: now,
                settings: self.settings,
                ledger: self.ledger,
                behaviour: self.behaviour
            )
        )
        for (name, entry) in result.writes { self.table.set(name, user: "u1", entry: entry) }
        if let prompt = try result.data(of: .promptIssued) { self.prompt = prompt }
        return result
    }

    /// A summary of the last prompt: `disambiguation:pet Retry1 declined`.
    var summary: String {
        let parameter = self.prompt["parameter"]?.string.map { ":\($0)" } ?? ""
        let again = self.prompt["again"]?["reason"]?.string.map { " \($0)" } ?? ""
        let kind = self.prompt["kind"]?.string ?? "none"
        return "\(kind)\(parameter) \(self.prompt["attempt"]?.string ?? "")\(again)"
    }
}
