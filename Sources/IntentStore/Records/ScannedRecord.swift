internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A record prepared for the tables, from its bytes, which it points to; this never fails.
struct ScannedRecord {
    /// The meaning of a record beyond its row in `events`.
    enum Meaning {
        /// No further meaning.
        case event
        /// A turn.
        case turn(ScannedTurn)
        /// What an app needs to continue.
        case userActivity(ScannedActivity)
        /// An event that could not be processed.
        case deadLetter
    }

    /// Its columns as an event.
    let event: ScannedEvent
    /// Its further meaning.
    private(set) var meaning = Meaning.event
    /// What a response says about an interaction; a turn is merged into its own interaction's row.
    private(set) var response: (request: RequestPosition, row: InteractionRow)?

    /// The interaction that a turn acted on, and the turn.
    var turnOfInteraction: (request: RequestPosition, turn: ScannedTurn)? {
        guard self.event.isEvent, case .turn(let turn) = self.meaning,
            let request = turn.request.flatMap(RequestPosition.init(utf8:))
        else { return nil }
        return (request, turn)
    }

    /// Reads a record as the stages do.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - parts: Its parts.
    ///   - kept: The kept parts.
    ///   - topic: The topic.
    ///   - tape: Parses the value.
    ///   - arguments: Holds bytes that are not in the record.
    init(
        _ record: LogRecord,
        _ parts: RecordParts,
        kept: RecordParts,
        on topic: Topic,
        _ tape: inout JSONTape,
        _ arguments: ArgumentBytes
    ) {
        let place = RowPlace(record)
        self.event = ScannedEvent(parts, kept: kept, at: place, on: topic, &tape, arguments)
        var value: ScannedValue? {
            parts.value.map { ScannedValue(bytes: $0, tape: tape, arguments: arguments) }
        }
        switch topic {
        case .deadLetters: self.meaning = .deadLetter
        case .journal:
            if let turn = self.turn(record, value, arguments) { self.meaning = .turn(turn) }
        case .responses:
            guard self.event.isEvent, let value else { return }
            self.response = InteractionRow.said(by: self.event, at: place, value)
        case .userActivities:
            guard self.event.isEvent, let type = self.event.type, type.isSame(as: "user-activity.created"), let value
            else { return }
            self.meaning = .userActivity(ScannedActivity(self.event, value))
        case .requests, .resolved, .confirmed, .signals, .state: break
        }
    }

    /// The turn in a record of `journal`.
    private func turn(_ record: LogRecord, _ value: ScannedValue?, _ arguments: ArgumentBytes) -> ScannedTurn? {
        let isTurn = self.event.type.map { $0.isSame(as: "turn.journaled") } ?? false
        guard self.event.isEvent, !self.event.attributes.isStructured, let value else {
            // The turn of an event that names no user is no event either, but a turn.
            guard !self.event.isEvent || isTurn else { return nil }
            return TurnRecord(record).map { ScannedTurn($0, arguments) }
        }
        return isTurn ? ScannedTurn(self.event.attributes, value) : nil
    }
}
