internal import IntentEvents
internal import IntentKit

/// The columns of a turn's row, in UTF-8.
///
/// `ScannedRecordTests` compares it with ``TurnRecord``'s reading.
struct ScannedTurn {
    var stage: Stage
    /// The event that was processed.
    var position: RecordPosition
    /// 0, or the number of the continuation.
    var generation: Int64
    var eventID: RecordBytes
    var eventType: RecordBytes
    var userID: RecordBytes
    var interactionID: RecordBytes?
    /// The position of its request.
    var request: RecordBytes?
    var intent: RecordBytes?
    /// Whether this turn began the interaction.
    var opened: Bool
    /// The turn's clock, in milliseconds.
    var at: Int64
    var attempt: Int64
    var worker: RecordBytes
    var handlerName: RecordBytes?
    var handlerVersion: RecordBytes?
    var outcome: TurnOutcome
    /// The digest of the previous turn, in hex.
    var previousDigest: RecordBytes
}

extension ScannedTurn {
    /// Reads a record of `journal` in binary mode, with nothing unusual in its headers; nil when it is no turn.
    init?(_ event: EventParts, _ json: JSONView, _ arguments: ArgumentBytes) {
        guard let stage = event.stage.flatMap({ Stage(rawValue: $0.string) }),
            let time = event.time.flatMap({ Timestamp.read($0.bytes) })?.time,
            let eventID = event.causationID?.bytes,
            let userID = event.headerUserID?.bytes,
            let position = arguments.text(json["position"]).flatMap(RecordPosition.init(utf8:)),
            let eventType = arguments.text(json["event"]?["type"]),
            let worker = arguments.text(json["worker"]),
            let outcome = arguments.text(json["outcome"]).flatMap({ TurnOutcome(rawValue: $0.text) })
        else { return nil }
        self.stage = stage
        self.position = position
        self.generation = json["generation"]?.integer ?? 0
        self.eventID = eventID
        self.eventType = eventType
        self.userID = userID
        self.interactionID = event.subject?.bytes
        self.request = event.request?.bytes
        self.intent = arguments.text(json["intent"])
        self.opened = json["opened"]?.bool ?? false
        self.at = (arguments.text(json["at"]).flatMap { Timestamp.read($0) }?.time ?? time).milliseconds
        self.attempt = json["attempt"]?.integer ?? 1
        self.worker = worker
        let handler = json["handler"]
        self.handlerName = arguments.text(handler?["name"])
        self.handlerVersion = arguments.text(handler?["version"])
        self.outcome = outcome
        self.previousDigest = arguments.text(json["previous"]) ?? RecordBytes("")
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
