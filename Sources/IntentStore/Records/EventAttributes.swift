internal import IntentEvents
internal import IntentRuntime

/// CloudEvents attributes as they are collected from a record's headers, in UTF-8: what `Event`'s decoding collects, without
/// its tree of values.
struct EventAttributes {
    /// An attribute of a header.
    struct Found {
        /// The last value of that name that is UTF-8.
        var text: [UInt8]?
        /// Whether it is that of the last header of that name.
        var isLast = false

        /// Takes note of another header.
        mutating func note(_ value: [UInt8]?) {
            guard let value, UTF8Text.isValid(value) else {
                self.isLast = false
                return
            }
            self.text = value
            self.isLast = true
        }

        /// The value of the last header of that name, if it is UTF-8.
        var last: [UInt8]? { self.isLast ? self.text : nil }
    }

    /// `ce_id`.
    var id = Found()
    /// `ce_source`.
    var source = Found()
    /// `ce_type`.
    var type = Found()
    /// `ce_time`.
    var time = Found()
    /// `ce_subject`.
    var subject = Found()
    /// `ce_userid`.
    var userID = Found()
    /// `ce_causationid`.
    var causationID = Found()
    /// `ce_stage`.
    var stage = Found()
    /// `ce_request`.
    var request = Found()
    /// Whether the content type says that attributes and data are one JSON object.
    var isStructured = false
    /// The first user who was named.
    private var user: [UInt8]?

    /// Nothing is known yet.
    init() {}

    /// Takes note of a user who is named; an empty name says nothing.
    ///
    /// - Returns: False when another one was named before: then nobody is.
    mutating func note(user bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard let known = self.user else {
            self.user = bytes
            return true
        }
        guard known != bytes else { return true }
        self.userID.text = nil
        return false
    }

    /// Takes note of key and headers; false when they name two users: what stands behind that is not looked at.
    mutating func note(_ record: LogRecord) -> Bool {
        if let key = record.key, !self.note(user: key) { return false }
        for header in record.headers where !self.note(header) { return false }
        return true
    }

    private mutating func note(_ header: LogHeader) -> Bool {
        let name = header.name
        // By their lengths: most names are compared with one or two others.
        switch name.utf8.count {
        case 5 where name == EventHeaderName.id: self.id.note(header.value)
        case 7 where name == EventHeaderName.type: self.type.note(header.value)
        case 7 where name == EventHeaderName.time: self.time.note(header.value)
        case 8 where name == EventHeaderName.stage: self.stage.note(header.value)
        case 9 where name == EventHeaderName.userID:
            if let user = header.value, !self.note(user: user) { return false }
            self.userID.note(header.value)
        case 9 where name == EventHeaderName.source: self.source.note(header.value)
        case 10 where name == EventHeaderName.subject: self.subject.note(header.value)
        case 10 where name == EventHeaderName.request: self.request.note(header.value)
        case 12 where name == EventHeaderName.contentType || name.lowercased() == EventHeaderName.contentType:
            if let value = header.value, let text = String(validating: value, as: UTF8.self) {
                self.isStructured =
                    text != Self.json && text.lowercased().hasPrefix("application/cloudevents+json")
            }
        case 14 where name == EventHeaderName.causationID: self.causationID.note(header.value)
        default: break
        }
        return true
    }

    private static let json = "application/json"
}
