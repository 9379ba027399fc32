internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A record prepared for the tables, from its bytes, which it points to; this never fails.
struct ScannedRecord {
    /// The meaning of a record beyond its row in `events`.
    enum Meaning {
        /// No further meaning.
        case event
        case turn(ScannedTurn)
        /// What an app needs to continue.
        case userActivity(ScannedActivity)
        /// An event that could not be processed.
        case deadLetter
    }

    let columns: EventColumns
    let meaning: Meaning
    /// What a request or a response says about an interaction; a turn is merged into its own interaction's row.
    let said: (request: RequestPosition, row: InteractionRow)?
    /// The request of the interaction that a turn acted on.
    let turnRequest: RequestPosition?

    /// Reads a record as the stages do.
    ///
    /// - Parameters:
    ///   - content: The record's content.
    ///   - position: Its position.
    ///   - parts: Its parts.
    ///   - kept: The kept parts.
    ///   - topic: The topic.
    ///   - tape: Parses the value.
    ///   - arguments: Holds bytes that are not in the record.
    init(
        _ content: RecordContent,
        at position: RowPosition,
        _ parts: RecordParts,
        kept: RecordParts,
        on topic: Topic,
        _ tape: inout JSONTape,
        _ arguments: ArgumentBytes
    ) {
        var event = EventParts(parts, on: topic)
        var columns: EventColumns?
        var meaning = topic == .deadLetters ? Meaning.deadLetter : .event
        var said: (request: RequestPosition, row: InteractionRow)?
        if let value = event.value {
            do throws(JSONParsingError) {
                try tape.read(value, maximumDepth: event.maximumDepth) { json in
                    event.read(json)
                    guard event.defect == nil else { return }
                    let made = EventColumns(event, at: position, on: topic, arguments)
                    columns = made
                    let data = event.data(in: json)
                    switch topic {
                    case .journal:
                        if let turn = Self.turn(content, event, json, arguments) { meaning = .turn(turn) }
                    // Of a record that is cut, a later reading of the row would know less.
                    case .requests where kept.value?.count == value.count:
                        said = InteractionRow.asked(by: made, at: position, data)
                    case .responses: said = InteractionRow.said(by: made, at: position, data, arguments)
                    case .userActivities:
                        guard event.type?.isSame(as: "user-activity.created") ?? false else { return }
                        meaning = .userActivity(ScannedActivity(made, data, arguments))
                    case .requests, .resolved, .confirmed, .signals, .deadLetters, .state: break
                    }
                }
            } catch {
                event.refuse(error)
            }
        }
        self.said = said
        self.turnRequest =
            if case .turn(let turn) = meaning { turn.request.flatMap(RequestPosition.init(utf8:)) } else { nil }
        // The turn of an event that names no user is no event either, but a turn.
        if columns == nil, topic == .journal, let turn = TurnRecord(content) {
            meaning = .turn(ScannedTurn(turn, arguments))
        }
        self.meaning = meaning
        var row = columns ?? EventColumns(defective: event, kept.value, &tape, arguments)
        if topic == .deadLetters, let ended = Self.request(endedBy: content) {
            row.request = arguments.add(ended.text)
        }
        self.columns = row
    }

    /// The request of the interaction that ended with a dead letter, as the stage that wrote it says; nil without one.
    static func request(endedBy letter: RecordContent) -> RequestID? {
        DeadLetterHeaders(letter).request.flatMap { $0.isPosition ? $0 : nil }
    }

    /// The turn in an event on `journal`.
    private static func turn(
        _ content: RecordContent,
        _ event: EventParts,
        _ json: JSONView,
        _ arguments: ArgumentBytes
    ) -> ScannedTurn? {
        guard event.type?.isSame(as: "turn.journaled") ?? false else { return nil }
        guard event.isStructured || !event.isPlain else { return ScannedTurn(event, json, arguments) }
        return TurnRecord(content).map { ScannedTurn($0, arguments) }
    }
}
