import IntentEvents
import IntentKit
import IntentLab

@testable import IntentRuntime

/// A turn of the user `u1` at a fixed time: what it writes depends on its event and the state alone.
enum StillTurn {
    /// The beginning of time.
    static let start = Timestamp(milliseconds: 0)

    /// An event about the interaction `i1`, whose request is `0:7`.
    static func stored(
        _ type: EventType,
        _ data: JSONValue,
        on topic: Topic,
        partition: Int = 0,
        offset: Int64 = 7,
        about subject: InteractionID = "i1",
        user: UserID = "u1"
    ) -> StoredRecord {
        let event = Event(
            id: "e1",
            source: "/tests",
            type: type,
            time: Self.start,
            subject: subject,
            userID: user,
            request: type.isInbound ? nil : "0:7",
            data: data
        )
        return event.stored(on: topic, partition: partition, offset: offset)
    }

    /// Runs a turn of a stage; nil when it comes to nothing.
    static func run(
        _ stored: StoredRecord,
        in stage: Stage,
        _ registrations: [IntentRegistration] = [IntentRegistration { GreetHandler() }],
        _ table: StateTable = StateTable(),
        at now: Timestamp = Self.start,
        partitions: Int = 1,
        settings: RuntimeSettings = RuntimeSettings(),
        ledger: (any EffectLedger)? = nil,
        behaviour: Int? = nil
    ) async throws -> TurnResult? {
        let environment =
            try StageEnvironment.tests(
                stage,
                registrations,
                settings: settings,
                ledger: ledger,
                partitions: partitions,
                clock: ManualClock(at: now)
            )
            .with(behaviour: behaviour)
        return await Turn.run(TurnInput(stored), in: environment, source: table.source(user: "u1"))
    }
}

extension TurnResult {
    /// The types of the events that it writes.
    var events: [EventType] {
        self.outputs.compactMap { if case .event(_, let draft) = $0 { draft.type } else { nil } }
    }

    /// The data of the first event of that type that it writes.
    func data(of type: EventType) throws -> JSONValue? {
        for case .event(_, let draft) in self.outputs where draft.type == type {
            return try JSONValue(parsing: draft.value)
        }
        return nil
    }

    /// The entry of that name that it writes; nil when it writes none, or removes it.
    func written<Form: StateForm>(_ name: StateName, _: Form.Type) -> Form? {
        (self.writes[name] ?? nil)?.form(Form.self)
    }
}
