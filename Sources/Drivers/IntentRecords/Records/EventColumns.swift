internal import IntentEvents
internal import IntentKit

/// The event columns of a row of `events`, in UTF-8, whether of a record or read from an older file.
struct EventColumns {
    var id: RecordBytes?
    var type: RecordBytes?
    var source: RecordBytes?
    /// When it happened, in milliseconds.
    var time: Int64?
    /// The time in its written form; nil when the headers have none, or another form.
    var writtenTime: RecordBytes?
    /// The interaction's id.
    var subject: RecordBytes?
    var userID: RecordBytes?
    /// The id of the event that this one answers.
    var causationID: RecordBytes?
    /// The position of the interaction's request.
    var request: RecordBytes?
    /// Whether the value is TEXT.
    var isJSON: Bool
    /// The headers' JSON, if it is known already.
    var headerJSON: RecordBytes?
}

extension EventColumns {
    init(_ event: EventParts, at position: RowPosition, on topic: Topic, _ arguments: ArgumentBytes) {
        let time = arguments.text(event.time)
        let read = time.flatMap { Timestamp.read($0) }
        self.init(
            id: arguments.text(event.id)
                ?? arguments.add(RecordPosition(topic, Int(position.partition), position.offset).description),
            type: arguments.text(event.type),
            source: arguments.text(event.source) ?? RecordBytes("unknown"),
            time: (read?.time ?? Timestamp(clamping: position.timestamp)).milliseconds,
            writtenTime: read?.isAsWritten ?? false ? time : nil,
            subject: event.subject.flatMap { $0.isEmpty ? nil : arguments.text($0) },
            userID: arguments.text(event.userID),
            causationID: arguments.text(event.causationID),
            request: arguments.text(EventParts.withinLimit(event.request)),
            isJSON: true
        )
    }

    /// The columns of a record that is no event: what is known all the same.
    ///
    /// - Parameters:
    ///   - event: What could be read of it.
    ///   - value: The kept value.
    ///   - tape: Parses the value.
    ///   - arguments: Holds bytes that are not in the record.
    init(defective event: EventParts, _ value: RecordBytes?, _ tape: inout JSONTape, _ arguments: ArgumentBytes) {
        let code = event.defect?.code
        // A structured event that is no object is malformed, but JSON; so is one that exceeds only the clients' limit
        // for the depth.
        var isJSON = code != .malformed && code != .tooLarge
        if !isJSON, let value { try? tape.read(value) { _ in isJSON = true } }
        self.init(
            type: arguments.text(EventParts.withinLimit(event.type)),
            subject: EventParts.withinLimit(event.subject).flatMap { $0.isEmpty ? nil : arguments.text($0) },
            userID: arguments.text(EventParts.withinLimit(event.userID)),
            isJSON: isJSON
        )
    }
}
