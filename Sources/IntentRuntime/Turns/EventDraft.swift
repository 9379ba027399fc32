package import IntentEvents
package import IntentKit

/// An event of which only the id is missing.
package struct EventDraft: Hashable, Sendable {
    /// The type.
    package var type: EventType
    /// When it happened.
    package var time: Timestamp
    /// The interaction's id.
    package var subject: InteractionID?
    /// The position of the interaction's request.
    package var request: RequestID?
    /// The user.
    package var userID: UserID
    /// The stage that a signal is addressed to.
    package var stage: Stage?
    /// Headers carried along.
    package var passedThrough: [String: String]
    /// The record's first parts, its key and the data's JSON text: its headers are to follow.
    let body: RecordContentWriter

    /// Describes an event; `write` writes its data.
    package init(
        type: EventType,
        time: Timestamp,
        subject: InteractionID?,
        request: RequestID?,
        userID: UserID,
        stage: Stage?,
        passedThrough: [String: String],
        data write: (inout JSONText) -> Void
    ) {
        self.type = type
        self.time = time
        self.subject = subject
        self.request = request
        self.userID = userID
        self.stage = stage
        self.passedThrough = passedThrough
        var body = RecordContentWriter(capacity: 960)
        body.append(part: userID.text)
        body.writeJSON(write)
        self.body = body
    }

    /// The data's JSON text.
    package var value: [UInt8] { self.body.content.value ?? [] }

    /// Writes the record, keyed by its user.
    ///
    /// - Parameters:
    ///   - writer: Where it is written.
    ///   - id: Appends the event's id.
    ///   - source: Who writes it.
    ///   - cause: The id of the event that it answers.
    ///   - marks: Further headers.
    func write(
        to writer: inout RecordContentWriter,
        id: (inout [UInt8]) -> Void,
        source: String,
        cause: String?,
        marks: [LogHeader]
    ) {
        writer.append(partsOf: self.body)
        writer.append(
            headersOfEvent: id,
            source: source,
            type: self.type.rawValue,
            time: self.time,
            userID: self.userID,
            subject: self.subject,
            causationID: cause,
            stage: self.stage,
            request: self.request,
            passedThrough: self.passedThrough
        )
        for mark in marks { writer.append(mark) }
    }
}
