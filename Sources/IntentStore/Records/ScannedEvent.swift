internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// What a record says as an event: the columns of its row in `events`, in UTF-8.
///
/// Held to `Event`'s decoding by `ScannedRecordTests`.
struct ScannedEvent {
    /// Whether it is an event; otherwise only what could be told all the same is there.
    var isEvent = false
    /// Whether the value counts as JSON.
    var isJSON = false
    /// The id.
    var id: [UInt8]?
    /// The type.
    var type: [UInt8]?
    /// Who wrote it.
    var source: [UInt8]?
    /// When it happened, in milliseconds.
    var time: Int64?
    /// Whether the header `ce_time` has that time in the form that is written.
    var isTimeAsWritten = false
    /// The interaction's id.
    var subject: [UInt8]?
    /// The user.
    var userID: [UInt8]?
    /// The id of the event that this one answers.
    var causationID: [UInt8]?
    /// The position of the interaction's request.
    var request: [UInt8]?
    /// The headers as they were found.
    var attributes = EventAttributes()
    /// Where the data stand on the tape; nil when there are none.
    var data: Int?

    /// Reads a record as the stages do; the tape holds its value then, if `isEvent` says that it is one.
    init(_ record: LogRecord, on topic: Topic, _ tape: inout JSONTape) {
        if let defect = self.read(record, on: topic, &tape) { self.fail(defect, record, &tape) }
    }

    /// Reads headers and value; returns why it is no event.
    private mutating func read(
        _ record: LogRecord,
        on topic: Topic,
        _ tape: inout JSONTape
    ) -> EventDecodingError.Code? {
        let isInbound = topic == .requests
        guard self.attributes.note(record) else { return .userMismatch }
        if isInbound {
            let envelope = record.headers.reduce(record.key?.count ?? 0) {
                $0 + $1.name.utf8.count + ($1.value?.count ?? 0) + 16
            }
            guard envelope <= Event.maximumInboundEnvelopeBytes else { return .tooLarge }
        }
        guard let value = record.value else { return .malformed }
        guard !isInbound || value.count <= Event.maximumInboundBytes else { return .tooLarge }
        let depth = isInbound ? Event.maximumInboundDepth : JSONValue.defaultMaximumDepth
        return value.withUnsafeBufferPointer { bytes in
            guard tape.read(bytes, maximumDepth: depth) else { return .malformed }
            return self.read(record, on: topic, tape, bytes)
        }
    }

    /// Reads what the value says; returns why it is no event.
    private mutating func read(
        _ record: LogRecord,
        on topic: Topic,
        _ tape: JSONTape,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> EventDecodingError.Code? {
        if self.attributes.isStructured {
            if let defect = self.take(structured: tape, bytes) { return defect }
        } else {
            self.data = JSONTape.root
        }
        let name = tape.member("id", of: tape.member("user", of: self.data, in: bytes), in: bytes)
        // Nearly always the user of the header: then nothing is copied.
        let isKnown = self.attributes.userID.text.map { tape.isString(name, $0, in: bytes) } ?? false
        let named = isKnown ? self.attributes.userID.text : tape.string(name, in: bytes)
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
        if type.elementsEqual(EventType.intentRequested.rawValue.utf8) {
            let intent = tape.member("intent", of: self.data, in: bytes)
            let name = tape.string(tape.member("name", of: intent, in: bytes), in: bytes)
            guard name.map({ !$0.isEmpty }) ?? false else { return .missingIntentName }
        }
        self.isEvent = true
        self.isJSON = true
        self.id =
            self.attributes.id.text
            ?? Array(RecordPosition(topic, record.topicPartition.partition, record.offset).description.utf8)
        self.source = self.attributes.source.text ?? Array("unknown".utf8)
        self.type = type
        let time = self.attributes.time.text.flatMap(Timestamp.read)
        self.time = time?.time.milliseconds ?? Timestamp(clamping: record.timestamp).milliseconds
        self.isTimeAsWritten = time?.isAsWritten ?? false
        self.subject = self.attributes.subject.text.flatMap { $0.isEmpty ? nil : $0 }
        self.causationID = self.attributes.causationID.text
        self.request = self.attributes.request.text.flatMap { $0.count <= limit ? $0 : nil }
        return nil
    }

    /// Takes the attributes of a structured event, and finds its data.
    private mutating func take(
        structured tape: JSONTape,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> EventDecodingError.Code? {
        guard tape.kind(JSONTape.root) == .object else { return .malformed }
        func text(_ name: StaticString) -> [UInt8]? {
            tape.string(tape.member(name, of: JSONTape.root, in: bytes), in: bytes)
        }
        self.attributes.id.text = text("id") ?? self.attributes.id.text
        self.attributes.type.text = text("type") ?? self.attributes.type.text
        self.attributes.source.text = text("source") ?? self.attributes.source.text
        self.attributes.time.text = text("time") ?? self.attributes.time.text
        self.attributes.subject.text = text("subject") ?? self.attributes.subject.text
        self.attributes.causationID.text = text("causationid") ?? self.attributes.causationID.text
        self.attributes.request.text = text("request") ?? self.attributes.request.text
        self.data = tape.member("data", of: JSONTape.root, in: bytes)
        if let user = text("userid") {
            guard self.attributes.note(user: user) else { return .userMismatch }
            self.attributes.userID.text = user
        }
        return nil
    }

    /// Leaves what could be told of what is no event; what is too long tells nothing.
    private mutating func fail(_ code: EventDecodingError.Code, _ record: LogRecord, _ tape: inout JSONTape) {
        func told(_ text: [UInt8]?) -> [UInt8]? { text.flatMap { $0.count <= Event.maximumIDBytes ? $0 : nil } }
        self.type = told(self.attributes.type.text)
        self.userID = told(self.userID ?? self.attributes.userID.text)
        self.subject = told(self.attributes.subject.text).flatMap { $0.isEmpty ? nil : $0 }
        // A structured event that is no object is malformed, but JSON; and so is what only clients may not nest so deep.
        self.isJSON =
            code != .malformed && code != .tooLarge
            || record.recorded.value?
                .withUnsafeBufferPointer {
                    tape.read($0, maximumDepth: JSONValue.defaultMaximumDepth)
                } ?? false
    }
}
