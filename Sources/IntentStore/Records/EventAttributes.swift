internal import IntentEvents

/// CloudEvents attributes from a record's headers, in UTF-8: the same as in `Event`'s decoding, without its tree of
/// values.
struct EventAttributes {
    /// A header's attribute.
    struct Found {
        /// The last value of that name that is UTF-8.
        var text: RecordBytes?
        /// Whether it is the value of the last header of that name.
        var isLast = false

        /// Collects another header.
        mutating func note(_ value: RecordBytes?) {
            guard let value, value.isUTF8 else {
                self.isLast = false
                return
            }
            self.text = value
            self.isLast = true
        }

        /// The value of the last header of that name, if it is UTF-8.
        var last: RecordBytes? { self.isLast ? self.text : nil }
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
    /// The first user's name.
    private var user: RecordBytes?

    /// Starts without attributes.
    init() {}

    /// Collects a user's name; an empty name is ignored.
    ///
    /// - Returns: False when another user was named before: then no user counts.
    mutating func note(user bytes: RecordBytes) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard let known = self.user else {
            self.user = bytes
            return true
        }
        guard !known.isSame(as: bytes) else { return true }
        self.userID.text = nil
        return false
    }

    /// Collects key and headers; false when they name two users: the rest is not read then.
    mutating func note(_ parts: RecordParts) -> Bool {
        if let key = parts.key, !self.note(user: key) { return false }
        var headers = parts.headers
        while let header = headers.next() {
            guard self.note(header.name, header.value) else { return false }
        }
        return true
    }

    private mutating func note(_ name: RecordBytes, _ value: RecordBytes?) -> Bool {
        // By length, so that most names are compared with only one or two others.
        switch name.count {
        case 5 where name.isSame(as: WrittenHeader.id): self.id.note(value)
        case 7 where name.isSame(as: WrittenHeader.type): self.type.note(value)
        case 7 where name.isSame(as: WrittenHeader.time): self.time.note(value)
        case 8 where name.isSame(as: WrittenHeader.stage): self.stage.note(value)
        case 9 where name.isSame(as: WrittenHeader.userID):
            if let value, !self.note(user: value) { return false }
            self.userID.note(value)
        case 9 where name.isSame(as: WrittenHeader.source): self.source.note(value)
        case 10 where name.isSame(as: WrittenHeader.subject): self.subject.note(value)
        case 10 where name.isSame(as: WrittenHeader.request): self.request.note(value)
        case 12 where name.isSame(as: WrittenHeader.contentType) || Self.isContentType(name):
            if let value { self.note(contentType: value) }
        case 14 where name.isSame(as: WrittenHeader.causationID): self.causationID.note(value)
        default: break
        }
        return true
    }

    /// Whether a name is `content-type`, ignoring case.
    private static func isContentType(_ name: RecordBytes) -> Bool {
        name.lazy.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }.elementsEqual(RecordBytes(WrittenHeader.contentType))
    }

    private mutating func note(contentType value: RecordBytes) {
        if value.isSame(as: WrittenHeader.json) {
            self.isStructured = false
        } else if let text = String(validating: value, as: UTF8.self) {
            self.isStructured = text.lowercased().hasPrefix("application/cloudevents+json")
        }
    }
}
