package import IntentEvents
package import IntentKit

/// An event without its id.
///
/// This is a reference: it never changes, and a copy would touch each part.
package final class EventDraft: Hashable, Sendable {
    package let type: EventType
    package let time: Timestamp
    package let subject: InteractionID?
    /// The position of the interaction's request.
    package let request: RequestID?
    package let userID: UserID
    /// The stage that a signal is addressed to.
    package let stage: Stage?
    /// Headers that are passed through.
    package let passedThrough: [String: String]
    /// The record's first parts, its key and the data's JSON text; its headers follow.
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

    /// Whether two drafts describe the same event.
    package static func == (lhs: EventDraft, rhs: EventDraft) -> Bool {
        lhs.type == rhs.type && lhs.time == rhs.time && lhs.subject == rhs.subject && lhs.request == rhs.request
            && lhs.userID == rhs.userID && lhs.stage == rhs.stage && lhs.passedThrough == rhs.passedThrough
            && lhs.body == rhs.body
    }

    /// Hashes the parts that differ in most drafts.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.type)
        hasher.combine(self.time)
        hasher.combine(self.body)
    }

    /// The data's JSON text.
    package var value: [UInt8] { self.body.content.value ?? [] }

    /// Writes the record, keyed by its user.
    ///
    /// - Parameters:
    ///   - writer: The writer of the record.
    ///   - id: Appends the event's id.
    ///   - source: The event's source.
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
