/// The event columns of a row of `events`, in UTF-8, whether scanned or read from an older file.
struct EventColumns {
    /// The id.
    var id: RecordBytes?
    /// The type.
    var type: RecordBytes?
    /// The source.
    var source: RecordBytes?
    /// When it happened, in milliseconds.
    var time: Int64?
    /// That time in its written form; nil when the headers have none, or another form.
    var writtenTime: RecordBytes?
    /// The interaction's id.
    var subject: RecordBytes?
    /// The user.
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
    /// The columns of a record that was scanned.
    init(_ event: ScannedEvent) {
        self.init(
            id: event.id,
            type: event.type,
            source: event.source,
            time: event.time,
            writtenTime: event.isTimeAsWritten ? event.attributes.time.text : nil,
            subject: event.subject,
            userID: event.userID,
            causationID: event.causationID,
            request: event.request,
            isJSON: event.isJSON
        )
    }
}
