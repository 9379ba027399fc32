internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// An interaction as it was recorded, to be played again.
struct ShadowCase: Sendable {
    /// A turn's stage and event.
    struct Place: Hashable, Sendable {
        var stage: Stage
        var event: RecordPosition
    }

    /// What somebody said, or a deadline that came, and at which prompt.
    struct Move: Sendable {
        /// The turn's place.
        var place: Place
        /// The event.
        var event: StoredRecord
        /// What it says.
        var content: Event
        /// The prompt that was open, as it was kept; nil when none was.
        var prompt: Prompt?
    }

    /// The position of the request, `partition:offset`.
    let request: RequestID
    /// The interaction's id.
    var interactionID: InteractionID
    /// The intent.
    var intentName: String
    /// The request's event, once its turn was read; without it there is nothing to play.
    var opening: StoredRecord?
    /// The user's vocabularies when it began, by state name.
    var vocabularies: [StateName: JSONValue] = [:]
    /// The records of its turns, each place's in order.
    var turns: [Place: [TurnRecord]] = [:]
    /// Its events in order.
    var order: [Place] = []
    /// What was said.
    var moves: [Move] = []
    /// How it ended.
    var ending = ShadowEnding()

    /// Begins with a turn of the interaction.
    init(request: RequestID, _ record: TurnRecord) {
        self.request = request
        self.interactionID = record.interactionID ?? InteractionID(request.text)
        self.intentName = record.intentName ?? "?"
    }

    /// Adds a turn.
    mutating func append(_ record: TurnRecord) {
        let place = Place(stage: record.stage, event: record.position)
        if self.turns[place] == nil { self.order.append(place) }
        self.turns[place, default: []].append(record)
        if let name = record.intentName { self.intentName = name }
    }

    /// Whether a version of another behaviour has run one of its turns: rules of intentd's own may make a difference.
    var isOfOtherBehaviour: Bool {
        self.turns.values.contains { $0.contains { $0.behaviour != TurnRecord.currentBehaviour } }
    }

    /// The turns of a place that came to something, one for each try.
    func results(at place: Place) -> [TurnRecord] { (self.turns[place] ?? []).filter { !$0.isParkingNote } }

    /// The places of events of a topic that a stage has processed, in order: those that another stage wrote.
    func places(of stage: Stage, on topic: Topic, type: EventType) -> [Place] {
        self.order.filter { place in
            place.stage == stage && place.event.topic == topic
                && self.turns[place]?.first?.eventType == type.rawValue
        }
    }

    /// What was open when a turn began: its own record of the state before it says.
    static func prompt(before record: TurnRecord) -> Prompt? {
        for (name, value) in record.before where name.hasPrefix(StateName.interactions) {
            if let prompt = Interaction(text: value)?.prompt { return prompt }
        }
        return nil
    }
}
