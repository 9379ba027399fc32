internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The columns of a turn's row, in UTF-8.
///
/// Held to ``TurnRecord``'s reading by `ScannedRecordTests`.
struct ScannedTurn {
    /// Whose turn it was.
    var stage: Stage
    /// The event that was processed.
    var position: RecordPosition
    /// 0, or which continuation of that event it is.
    var generation: Int64
    /// The event's id.
    var eventID: RecordBytes
    /// The event's type.
    var eventType: RecordBytes
    /// The user.
    var userID: RecordBytes
    /// The interaction's id.
    var interactionID: RecordBytes?
    /// The position of its request.
    var request: RecordBytes?
    /// The intent.
    var intent: RecordBytes?
    /// Whether this turn began the interaction.
    var opened: Bool
    /// The turn's clock, in milliseconds.
    var at: Int64
    /// Which try it was.
    var attempt: Int64
    /// Who ran it.
    var worker: RecordBytes
    /// The handler's name.
    var handlerName: RecordBytes?
    /// The handler's version.
    var handlerVersion: RecordBytes?
    /// What became of it.
    var outcome: TurnOutcome
    /// The digest of the turn before it, in hex.
    var previousDigest: RecordBytes
}

extension ScannedTurn {
    /// Reads a record of `journal`, whose headers were all noted; nil when it is none of a turn.
    init?(_ headers: EventAttributes, _ value: ScannedValue) {
        guard let type = headers.type.last, type.isSame(as: "turn.journaled"),
            let stage = headers.stage.last.flatMap({ Stage(rawValue: $0.text) }),
            let time = headers.time.last.flatMap({ Timestamp.read($0) })?.time,
            let eventID = headers.causationID.last,
            let userID = headers.userID.last,
            let position = value.text("position").flatMap(RecordPosition.init(utf8:)),
            let eventType = value.text("type", of: value.member("event")),
            let worker = value.text("worker"),
            let outcome = value.text("outcome").flatMap({ TurnOutcome(rawValue: $0.text) })
        else { return nil }
        self.stage = stage
        self.position = position
        self.generation = value.integer("generation") ?? 0
        self.eventID = eventID
        self.eventType = eventType
        self.userID = userID
        self.interactionID = headers.subject.last
        self.request = headers.request.last
        self.intent = value.text("intent")
        self.opened = value.isTrue("opened")
        self.at = (value.text("at").flatMap { Timestamp.read($0) }?.time ?? time).milliseconds
        self.attempt = value.integer("attempt") ?? 1
        self.worker = worker
        let handler = value.member("handler")
        self.handlerName = value.text("name", of: handler)
        self.handlerVersion = value.text("version", of: handler)
        self.outcome = outcome
        self.previousDigest = value.text("previous") ?? RecordBytes("")
    }

    /// Takes over a record that was read in another way: what is rare is not scanned.
    init(_ turn: TurnRecord, _ arguments: ArgumentBytes) {
        self.stage = turn.stage
        self.position = turn.position
        self.generation = Int64(turn.generation)
        self.eventID = arguments.add(turn.eventID)
        self.eventType = arguments.add(turn.eventType)
        self.userID = arguments.add(turn.userID.text)
        self.interactionID = arguments.add(turn.interactionID?.text)
        self.request = arguments.add(turn.request?.text)
        self.intent = arguments.add(turn.intentName)
        self.opened = turn.opened
        self.at = turn.at.milliseconds
        self.attempt = Int64(turn.attempt)
        self.worker = arguments.add(turn.worker)
        self.handlerName = arguments.add(turn.handlerName)
        self.handlerVersion = arguments.add(turn.handlerVersion)
        self.outcome = turn.outcome
        self.previousDigest = arguments.add(turn.previousDigest)
    }
}
