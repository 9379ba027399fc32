internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A recorded interaction, to be played again.
struct ShadowCase: Sendable {
    /// An event of the user, or a deadline that was reached, and the prompt that was open.
    struct Move: Sendable {
        var turn: TurnKey
        var event: StoredRecord
        var content: Event
        /// The prompt that was open, as recorded; nil when none was open.
        var prompt: Prompt?
        /// The event whose turn was still running, and which it ended with the interaction; nil for none.
        var running: RecordPosition?
    }

    /// The position of the request, `partition:offset`.
    let request: RequestID
    var interactionID: InteractionID
    var intentName: String
    /// The request's event, once its turn has been read; without it there is nothing to play.
    var opening: StoredRecord?
    /// The user's vocabularies when it began, by state name.
    var vocabularies: [StateName: JSONValue] = [:]
    /// The records of each turn, in order.
    var turns: [TurnKey: [TurnRecord]] = [:]
    /// Its events in order.
    var order: [TurnKey] = []
    /// What the user and apps said before its end, in order.
    var moves: [Move] = []
    /// The cancellation or the deadline that ended it; nil when it is open, or ended in another way.
    var end: Move?
    /// What clients read.
    var seen = ShadowTranscript()
    /// Whether a user activity is no longer on its topic.
    var lacksActivities = false

    /// Begins with a turn of the interaction.
    init(request: RequestID, _ record: TurnRecord) {
        self.request = request
        self.interactionID = record.interactionID ?? InteractionID(request.text)
        self.intentName = record.intentName ?? "?"
    }

    mutating func append(_ record: TurnRecord) {
        let key = TurnKey(record.stage, record.position)
        if self.turns[key] == nil { self.order.append(key) }
        self.turns[key, default: []].append(record)
        if let name = record.intentName { self.intentName = name }
    }

    var ending: ShadowEnding { self.seen.ending }

    /// Whether a version of another behaviour has run one of its turns: then intentd's own rules may make a difference.
    var isOfOtherBehaviour: Bool {
        self.turns.values.contains { $0.contains { $0.behaviour != TurnRecord.currentBehaviour } }
    }

    /// The records of a turn that produced a result, one for each attempt.
    func results(of key: TurnKey) -> [TurnRecord] { (self.turns[key] ?? []).filter { !$0.isOfRunningTurn } }

    /// The effects that the ledger held at the end, and no recorded turn had asked for: those of the interaction that it
    /// was redriven from, and of turns that were not committed.
    var foreignEffects: [String] {
        let reads = self.turns.values.joined().map(\.reads)
        let held = reads.joined().compactMap(\.heldEffects).max { $0.count < $1.count } ?? []
        let asked = reads.map { $0.filter { $0.kind == .effect }.map(\.name) }
        return held.without(asked.reduce([]) { $1.joined(to: $0) })
    }

    /// The turns of the events of a topic that a stage has processed, in order: those that another stage wrote.
    func keys(of stage: Stage, on topic: Topic, type: EventType) -> [TurnKey] {
        self.order.filter { key in
            key.stage == stage && key.position.topic == topic
                && self.turns[key]?.first?.eventType == type.rawValue
        }
    }

    /// The prompt that was open when a turn began, from the turn's record of the state before it.
    static func prompt(before record: TurnRecord) -> Prompt? {
        for (name, value) in record.before where name.hasPrefix(StateName.interactions) {
            if let prompt = Interaction(text: value)?.prompt { return prompt }
        }
        return nil
    }

    /// The event of the parked turn that belonged to a turn's interaction, from the record of the state before it.
    static func running(before record: TurnRecord) -> RecordPosition? {
        guard let parked = record.before[StateName.parked].flatMap(ParkedTurn.init(text:)),
            parked.interactionID == record.interactionID
        else { return nil }
        return parked.event.position
    }
}
