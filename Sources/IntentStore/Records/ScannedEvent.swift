internal import IntentEvents
internal import IntentKit

/// A record as an event: the columns of its row in `events`, in UTF-8.
///
/// `ScannedRecordTests` compares it with `Event`'s decoding.
struct ScannedEvent {
    /// Whether it is an event; otherwise it has only what is known all the same.
    var isEvent = false
    /// Whether the value counts as JSON.
    var isJSON = false
    /// The id.
    var id: RecordBytes?
    /// The type.
    var type: RecordBytes?
    /// The source.
    var source: RecordBytes?
    /// When it happened, in milliseconds.
    var time: Int64?
    /// Whether the header `ce_time` has that time in its written form.
    var isTimeAsWritten = false
    /// The interaction's id.
    var subject: RecordBytes?
    /// The user.
    var userID: RecordBytes?
    /// The id of the event that this one answers.
    var causationID: RecordBytes?
    /// The position of the interaction's request.
    var request: RecordBytes?
    /// The headers' attributes.
    var attributes = EventAttributes()
    /// The node of the data on the tape; nil when there are none.
    var data: Int?

    /// Reads a record as the stages do; the tape then holds its value, if `isEvent` says that it is one.
    ///
    /// - Parameters:
    ///   - parts: The record's parts.
    ///   - kept: The kept parts.
    ///   - place: Its position.
    ///   - topic: Its topic.
    ///   - tape: Parses the value.
    ///   - arguments: Holds bytes that are not in the record.
    init(
        _ parts: RecordParts,
        kept: RecordParts,
        at place: RowPlace,
        on topic: Topic,
        _ tape: inout JSONTape,
        _ arguments: ArgumentBytes
    ) {
        if let defect = self.read(parts, at: place, on: topic, &tape, arguments) {
            self.fail(defect, kept, &tape)
        }
    }

    /// Reads headers and value; returns why it is no event.
    private mutating func read(
        _ parts: RecordParts,
        at place: RowPlace,
        on topic: Topic,
        _ tape: inout JSONTape,
        _ arguments: ArgumentBytes
    ) -> EventDecodingError.Code? {
        let isInbound = topic == .requests
        guard self.attributes.note(parts) else { return .userMismatch }
        if isInbound {
            let envelope = parts.envelopeCount + 16 * parts.headerCount
            guard envelope <= Event.maximumInboundEnvelopeBytes else { return .tooLarge }
        }
        guard let bytes = parts.value else { return .malformed }
        guard !isInbound || bytes.count <= Event.maximumInboundBytes else { return .tooLarge }
        let depth = isInbound ? Event.maximumInboundDepth : JSONValue.defaultMaximumDepth
        guard tape.read(bytes, maximumDepth: depth) else { return .malformed }
        return self.read(at: place, on: topic, ScannedValue(bytes: bytes, tape: tape, arguments: arguments))
    }

    /// Reads the value; returns why it is no event.
    private mutating func read(
        at place: RowPlace,
        on topic: Topic,
        _ value: ScannedValue
    ) -> EventDecodingError.Code? {
        if self.attributes.isStructured {
            if let defect = self.read(structured: value) { return defect }
        } else {
            self.data = JSONTape.root
        }
        let named = value.text("id", of: value.member("user", of: self.data))
        if let named, !self.attributes.note(user: named) { return .userMismatch }
        guard let type = self.attributes.type.text, !type.isEmpty else { return .missingType }
        guard let userID = named ?? self.attributes.userID.text, !userID.isEmpty else { return .missingUser }
        let limit = Event.maximumIDBytes
        guard userID.count <= limit, self.attributes.subject.text?.count ?? 0 <= limit,
            self.attributes.id.text?.count ?? 0 <= limit, type.count <= limit
        else {
            self.attributes.userID.text = nil
            return .tooLarge
        }
        self.userID = userID
        if type.isSame(as: "intent.requested") {
            let name = value.text("name", of: value.member("intent", of: self.data))
            guard name.map({ !$0.isEmpty }) ?? false else { return .missingIntentName }
        }
        self.isEvent = true
        self.isJSON = true
        self.id =
            self.attributes.id.text
            ?? value.arguments.add(RecordPosition(topic, Int(place.partition), place.offset).description)
        self.source = self.attributes.source.text ?? RecordBytes("unknown")
        self.type = type
        let time = self.attributes.time.text.flatMap { Timestamp.read($0) }
        self.time = time?.time.milliseconds ?? Timestamp(clamping: place.timestamp).milliseconds
        self.isTimeAsWritten = time?.isAsWritten ?? false
        self.subject = self.attributes.subject.text.flatMap { $0.isEmpty ? nil : $0 }
        self.causationID = self.attributes.causationID.text
        self.request = self.attributes.request.text.flatMap { $0.count <= limit ? $0 : nil }
        return nil
    }

    /// Reads the attributes of a structured event, and finds its data.
    private mutating func read(structured value: ScannedValue) -> EventDecodingError.Code? {
        guard value.tape.kind(JSONTape.root) == .object else { return .malformed }
        self.attributes.id.text = value.text("id") ?? self.attributes.id.text
        self.attributes.type.text = value.text("type") ?? self.attributes.type.text
        self.attributes.source.text = value.text("source") ?? self.attributes.source.text
        self.attributes.time.text = value.text("time") ?? self.attributes.time.text
        self.attributes.subject.text = value.text("subject") ?? self.attributes.subject.text
        self.attributes.causationID.text = value.text("causationid") ?? self.attributes.causationID.text
        self.attributes.request.text = value.text("request") ?? self.attributes.request.text
        self.data = value.member("data")
        if let user = value.text("userid") {
            guard self.attributes.note(user: user) else { return .userMismatch }
            self.attributes.userID.text = user
        }
        return nil
    }

    /// Keeps what is known about a record that is no event; attributes that are too long are left out.
    private mutating func fail(_ code: EventDecodingError.Code, _ kept: RecordParts, _ tape: inout JSONTape) {
        func told(_ text: RecordBytes?) -> RecordBytes? {
            text.flatMap { $0.count <= Event.maximumIDBytes ? $0 : nil }
        }
        self.type = told(self.attributes.type.text)
        self.userID = told(self.userID ?? self.attributes.userID.text)
        self.subject = told(self.attributes.subject.text).flatMap { $0.isEmpty ? nil : $0 }
        // A structured event that is no object is malformed, but JSON; so is one that exceeds only the clients' limit
        // for the depth.
        self.isJSON =
            code != .malformed && code != .tooLarge
            || kept.value.map { tape.read($0, maximumDepth: JSONValue.defaultMaximumDepth) } ?? false
    }
}
