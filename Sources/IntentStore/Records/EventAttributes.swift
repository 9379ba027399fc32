internal import IntentEvents

/// CloudEvents attributes as they are collected from a record's headers, in UTF-8: what `Event`'s decoding collects, without
/// its tree of values.
struct EventAttributes {
    /// An attribute of a header.
    struct Found {
        /// The last value of that name that is UTF-8.
        var text: RecordBytes?
        /// Whether it is that of the last header of that name.
        var isLast = false

        /// Takes note of another header.
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
    /// The first user who was named.
    private var user: RecordBytes?

    /// Nothing is known yet.
    init() {}

    /// Takes note of a user who is named; an empty name says nothing.
    ///
    /// - Returns: False when another one was named before: then nobody is.
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

    /// Takes note of key and headers; false when they name two users: what stands behind that is not looked at.
    mutating func note(_ parts: RecordParts) -> Bool {
        if let key = parts.key, !self.note(user: key) { return false }
        var headers = parts.headers
        while let header = headers.next() {
            guard self.note(header.name, header.value) else { return false }
        }
        return true
    }

    private mutating func note(_ name: RecordBytes, _ value: RecordBytes?) -> Bool {
        // By their lengths: most names are compared with one or two others.
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

    /// Whether a name is `content-type` in letters of any size.
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
