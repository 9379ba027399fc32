import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// An interaction in `handle`, with its state and a ledger, turn by turn.
final class Trip {
    struct Hiccup: TransientError {}
    struct Defect: Error {}

    /// What undoing all effects of ``book(_:)`` calls, in order.
    static let everything = ["call 2", "hotel 2 receipt", "flight 1 on Monday"]

    let ledger = InMemoryLedger()
    let calls = CallLog()
    var table = StateTable()
    var now = StillTurn.start
    var format = 2
    var behaviour = 6
    var retry: RetryPolicy?
    var handle: @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent>
    /// Throws in the undo of that name, before it is recorded.
    var refuse: @Sendable (_ what: String) throws -> Void = { _ in }
    var isRegistered = true
    /// Whether the results of turns are lost before they are committed.
    var isLosing = false
    private var offset: Int64 = 6

    init(_ handle: @escaping @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent>) {
        self.handle = handle
    }

    /// A trip whose handler makes the effects, and fails.
    convenience init() {
        self.init { _, context in
            try await Trip.book(context)
            return IntentResponse(code: .failure)
        }
    }

    /// Makes the effects of a trip, which can be undone.
    static func book(_ context: TurnContext) async throws {
        for (number, name) in ["flight", "hotel"].enumerated() { try await context.effect(name) { _ in number + 1 } }
    }

    var interaction: Interaction? { self.table.form(.interaction("0:7"), user: "u1", Interaction.self) }

    func environment() throws -> StageEnvironment {
        var settings = RuntimeSettings()
        settings.formats = RecordFormats(reads: 1...2, writes: self.format)
        let (calls, refuse) = (self.calls, self.refuse)
        let handler = TripHandler(handle: self.handle) { what, _ in
            try refuse(what)
            calls.record(what)
        }
        let registrations = self.isRegistered ? [IntentRegistration(retry: self.retry) { handler }] : []
        return
            try StageEnvironment.tests(
                .handle,
                registrations,
                settings: settings,
                ledger: self.ledger,
                clock: ManualClock(at: self.now)
            )
            .with(behaviour: self.behaviour)
    }

    /// Runs the turn of an event, and commits its state.
    @discardableResult
    func receive(
        _ type: EventType,
        _ data: JSONValue = ["user": ["id": "u1"]],
        on topic: Topic,
        crash: CrashVerdict? = nil
    ) async throws -> TurnResult {
        self.offset += 1
        let stored = StillTurn.stored(type, data, on: topic, offset: self.offset)
        let turn = await Turn.run(
            TurnInput(stored, crash: crash),
            in: try self.environment(),
            source: self.table.source(user: "u1")
        )
        let result = try #require(turn)
        for (name, entry) in result.writes where !self.isLosing { self.table.set(name, user: "u1", entry: entry) }
        return result
    }

    /// Receives the trip.
    @discardableResult
    func begin(
        crash: CrashVerdict? = nil,
        _ change: (inout Interaction) -> Void = { _ in }
    ) async throws -> TurnResult {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TripIntent", parameters: ["day": "Monday"])
        change(&interaction)
        return try await self.receive(
            .intentConfirmed,
            ["interaction": interaction.json, "user": ["id": "u1"]],
            on: .confirmed,
            crash: crash
        )
    }

    /// Fires the timer of the next undo, at its time.
    @discardableResult
    func undoNext(crash: CrashVerdict? = nil) async throws -> TurnResult {
        let undoing = try #require(self.interaction?.undoing)
        self.now = max(self.now, undoing.dueAt)
        let data: JSONValue = [
            "deadline": .string("\(undoing.dueAt)"), "user": ["id": "u1"], "what": "undo",
        ]
        return try await self.receive(.timerFired, data, on: .signals, crash: crash)
    }

    /// Undoes everything; gives the terminal response.
    func undoAll() async throws -> JSONValue {
        while self.interaction?.undoing != nil {
            let result = try await self.undoNext()
            if let response = try result.data(of: .intentResponded) { return response }
        }
        Issue.record("There was no response at the end.")
        return .null
    }

    /// Keeps a parked turn of the trip, as if its handler was still running.
    func park() {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TripIntent", parameters: ["day": "Monday"])
        let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
        let event = StillTurn.stored(.intentConfirmed, data, on: .confirmed)
        let parked = ParkedTurn(
            event: event,
            interactionID: "i1",
            startedAt: self.now,
            timeoutAt: self.now + 1_000
        )
        self.table.set(.parked, user: "u1", entry: StateEntry(parked))
    }

    /// Fires the time limit of the parked turn.
    func timeOut() async throws -> TurnResult {
        let parked = try #require(self.table.form(.parked, user: "u1", ParkedTurn.self))
        self.now = max(self.now, parked.timeoutAt)
        let data: JSONValue = [
            "attempt": .integer(Int64(parked.attempt)), "deadline": .string("\(parked.timeoutAt)"),
            "position": .string("\(parked.event.position)"), "user": ["id": "u1"], "what": "timeout",
        ]
        return try await self.receive(.timerFired, data, on: .signals)
    }

    /// Makes the trip's effects, as a handler that is still running would have.
    func bookInLedger(_ names: [String] = ["flight", "hotel"]) async throws {
        for (index, name) in names.enumerated() {
            let key = EffectKey(request: "0:7", name: name, ordinal: 0)
            _ = try await self.ledger.perform(key) { _ in .integer(Int64(index + 1)) }
        }
    }
}
