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
    var eventID: [UInt8]
    /// The event's type.
    var eventType: [UInt8]
    /// The user.
    var userID: [UInt8]
    /// The interaction's id.
    var interactionID: [UInt8]?
    /// The position of its request.
    var request: [UInt8]?
    /// The intent.
    var intent: [UInt8]?
    /// Whether this turn began the interaction.
    var opened: Bool
    /// The turn's clock, in milliseconds.
    var at: Int64
    /// Which try it was.
    var attempt: Int64
    /// Who ran it.
    var worker: [UInt8]
    /// The handler's name.
    var handlerName: [UInt8]?
    /// The handler's version.
    var handlerVersion: [UInt8]?
    /// What became of it.
    var outcome: TurnOutcome
    /// The digest of the turn before it, in hex.
    var previousDigest: [UInt8]
}

extension ScannedTurn {
    private static let type = Array(EventType.turnJournaled.rawValue.utf8)
    private static let stages = Stage.allCases.map { (name: Array($0.rawValue.utf8), stage: $0) }
    private static let outcomes = TurnOutcome.allCases.map { (name: Array($0.rawValue.utf8), outcome: $0) }

    /// Reads a record of `journal` whose value is on the tape, and whose headers were all noted; nil when it is none of a
    /// turn.
    init?(_ headers: EventAttributes, _ tape: JSONTape, _ bytes: UnsafeBufferPointer<UInt8>) {
        func member(_ name: StaticString, of node: Int? = JSONTape.root) -> Int? {
            tape.member(name, of: node, in: bytes)
        }
        func text(_ name: StaticString, of node: Int? = JSONTape.root) -> [UInt8]? {
            tape.string(member(name, of: node), in: bytes)
        }
        guard headers.type.last == Self.type,
            let stageName = headers.stage.last, let stage = Self.stages.first(where: { $0.name == stageName })?.stage,
            let time = headers.time.last.flatMap(Timestamp.read)?.time,
            let eventID = headers.causationID.last,
            let userID = headers.userID.last,
            let position = text("position").flatMap(RecordPosition.init(utf8:)),
            let eventType = text("type", of: member("event")),
            let worker = text("worker"),
            let outcomeName = text("outcome"),
            let outcome = Self.outcomes.first(where: { $0.name == outcomeName })?.outcome
        else { return nil }
        self.stage = stage
        self.position = position
        self.generation = tape.integer(member("generation"), in: bytes) ?? 0
        self.eventID = eventID
        self.eventType = eventType
        self.userID = userID
        self.interactionID = headers.subject.last
        self.request = headers.request.last
        self.intent = text("intent")
        self.opened = tape.isTrue(member("opened"))
        self.at = (text("at").flatMap(Timestamp.read)?.time ?? time).milliseconds
        self.attempt = tape.integer(member("attempt"), in: bytes) ?? 1
        self.worker = worker
        let handler = member("handler")
        self.handlerName = text("name", of: handler)
        self.handlerVersion = text("version", of: handler)
        self.outcome = outcome
        self.previousDigest = text("previous") ?? []
    }

    /// Takes over a record that was read in another way: what is rare is not scanned.
    init(_ turn: TurnRecord) {
        self.stage = turn.stage
        self.position = turn.position
        self.generation = Int64(turn.generation)
        self.eventID = Array(turn.eventID.utf8)
        self.eventType = Array(turn.eventType.utf8)
        self.userID = Array(turn.userID.utf8)
        self.interactionID = turn.interactionID.map { Array($0.utf8) }
        self.request = turn.request.map { Array($0.utf8) }
        self.intent = turn.intentName.map { Array($0.utf8) }
        self.opened = turn.opened
        self.at = turn.at.milliseconds
        self.attempt = Int64(turn.attempt)
        self.worker = Array(turn.worker.utf8)
        self.handlerName = turn.handlerName.map { Array($0.utf8) }
        self.handlerVersion = turn.handlerVersion.map { Array($0.utf8) }
        self.outcome = turn.outcome
        self.previousDigest = Array(turn.previousDigest.utf8)
    }
}
