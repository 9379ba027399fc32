internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The columns of a turn's row, in UTF-8.
///
/// `ScannedRecordTests` compares it with ``TurnRecord``'s reading.
struct ScannedTurn {
    /// The stage.
    var stage: Stage
    /// The event that was processed.
    var position: RecordPosition
    /// 0, or the number of the continuation.
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
    /// The number of the try.
    var attempt: Int64
    /// The worker that ran it.
    var worker: RecordBytes
    /// The handler's name.
    var handlerName: RecordBytes?
    /// The handler's version.
    var handlerVersion: RecordBytes?
    /// Its outcome.
    var outcome: TurnOutcome
    /// The digest of the previous turn, in hex.
    var previousDigest: RecordBytes
}

extension ScannedTurn {
    /// Reads a record of `journal`, whose headers were all collected; nil when it is no turn.
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

    /// Converts a record that was read in another way: rare forms are not scanned.
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
