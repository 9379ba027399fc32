internal import IntentKit

/// An event's attributes as they are collected: from the headers in binary mode, from the value in structured mode.
struct EventAttributeValues {
    /// The bytes of a user's name, wherever they are.
    enum UserName {
        /// In the record, while it is being read.
        case bytes(UnsafeBufferPointer<UInt8>)
        /// In a parsed value.
        case text(String)

        /// Whether there are no bytes.
        var isEmpty: Bool {
            switch self {
            case .bytes(let bytes): bytes.isEmpty
            case .text(let text): text.utf8.isEmpty
            }
        }

        /// Whether two names have the same bytes.
        func isSame(as other: UserName) -> Bool {
            switch (self, other) {
            case (.bytes(let one), .bytes(let other)): one.elementsEqual(other)
            case (.bytes(let bytes), .text(let text)), (.text(let text), .bytes(let bytes)):
                RecordParts.areEqual(bytes, text)
            case (.text(let one), .text(let other)): TextBytes.areEqual(one, other)
            }
        }
    }

    /// `ce_id`.
    var id: String?
    /// `ce_source`.
    var source: String?
    /// `ce_type`.
    var type: String?
    /// `ce_time`, if it is a point in time.
    var time: Timestamp?
    /// `ce_subject`.
    var subject: String?
    /// `ce_userid`.
    var userID: String?
    /// `ce_causationid`.
    var causationID: String?
    /// `ce_stage`.
    var stage: String?
    /// `ce_request`.
    var request: String?
    /// The headers that are passed through.
    var passedThrough: [String: String] = [:]
    /// Whether the content type says that attributes and data are one JSON object.
    private(set) var isStructured = false
    /// The first user that was named, and where.
    private var user: (name: UserName, place: StaticString)?

    /// The interaction's id; an empty one is none.
    var interactionID: InteractionID? { self.subject.flatMap { $0.isEmpty ? nil : InteractionID($0) } }

    // MARK: Headers

    /// Collects a record's headers, in order; of two with one name the last counts, unless it is not UTF-8.
    /// - Throws: ``EventDecodingError``, `userMismatch`, when they name two users; the rest is not read then.
    mutating func note(headersOf parts: RecordParts) throws(EventDecodingError) {
        var defect: EventDecodingError?
        parts.forEachHeader { name, value in
            guard defect == nil, let value else { return }
            do throws(EventDecodingError) { try self.note(name, value) } catch { defect = error }
        }
        if let defect { throw defect }
    }

    private mutating func note(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>
    ) throws(EventDecodingError) {
        func isName(_ other: String) -> Bool { RecordParts.areEqual(name, other) }
        // By length, so that most names are compared with only one or two others.
        switch name.count {
        case 5 where isName(EventHeaderName.id): self.id = Self.text(value) ?? self.id
        case 7 where isName(EventHeaderName.type): self.type = Self.type(value) ?? self.type
        case 7 where isName(EventHeaderName.time):
            let read = Timestamp.read(value)
            if read != nil || Self.text(value) != nil { self.time = read?.time }
        case 8 where isName(EventHeaderName.stage): self.stage = Self.text(value) ?? self.stage
        case 9 where isName(EventHeaderName.userID):
            try self.note(user: .bytes(value), "the header ce_userid")
            self.userID = Self.text(value) ?? self.userID
        case 9 where isName(EventHeaderName.source): self.source = Self.source(value) ?? self.source
        case 10 where isName(EventHeaderName.subject): self.subject = Self.text(value) ?? self.subject
        case 10 where isName(EventHeaderName.request): self.request = Self.text(value) ?? self.request
        // These are on every event and carry no information.
        case 14 where isName(EventHeaderName.specVersion): break
        case 14 where isName(EventHeaderName.causationID): self.causationID = Self.text(value) ?? self.causationID
        case 12 where Self.isContentType(name): self.noteContentType(value)
        default:
            if let header = EventHeaderName.passedThrough.first(where: isName), let text = Self.text(value) {
                self.pass(text, header)
            }
        }
    }

    /// Collects type, user and interaction from headers that are not too long.
    mutating func noteShortNames(in parts: RecordParts) {
        parts.forEachHeader { name, value in
            guard let value, value.count <= Event.maximumIDBytes else { return }
            if RecordParts.areEqual(name, EventHeaderName.type) {
                self.type = Self.text(value)
            } else if RecordParts.areEqual(name, EventHeaderName.userID) {
                self.userID = Self.text(value)
            } else if RecordParts.areEqual(name, EventHeaderName.subject) {
                self.subject = Self.text(value)
            }
        }
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// A type's text; intentd's own types need no allocation.
    private static func type(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        EventType(utf8: bytes)?.rawValue ?? Self.text(bytes)
    }

    /// A source's text; intentd's own sources need no allocation.
    private static func source(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        Stage.allCases.first { RecordParts.areEqual(bytes, $0.source) }?.source ?? Self.text(bytes)
    }

    /// Whether a name of twelve bytes is `content-type`, ignoring case.
    private static func isContentType(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.lazy.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }.elementsEqual(EventHeaderName.contentType.utf8)
    }

    private mutating func noteContentType(_ value: UnsafeBufferPointer<UInt8>) {
        if RecordParts.areEqual(value, "application/json") {
            self.isStructured = false
        } else if let text = Self.text(value) {
            self.isStructured = text.lowercased().hasPrefix("application/cloudevents+json")
        }
    }

    /// Passes a header through unless it is too long.
    private mutating func pass(_ text: String, _ header: String) {
        if text.utf8.count <= Event.maximumIDBytes { self.passedThrough[header] = text }
    }

    // MARK: Users

    /// Collects a user's name; an empty name is ignored.
    /// - Throws: ``EventDecodingError``, `userMismatch`, when another user was named before.
    mutating func note(user name: UserName, _ place: StaticString) throws(EventDecodingError) {
        guard !name.isEmpty else { return }
        guard let known = self.user else {
            self.user = (name, place)
            return
        }
        guard !known.name.isSame(as: name) else { return }
        // The owner cannot be determined: no user is named, so no user hears of it.
        self.userID = nil
        throw self.failure(
            .userMismatch,
            "\(known.place) and \(place) name different users; they are the same bytes, or left out."
        )
    }

    // MARK: Structured mode

    /// Reads the attributes of a structured event; its data are the member `data`.
    /// - Throws: ``EventDecodingError``, `malformed` or `userMismatch`.
    mutating func read(structured json: JSONValue) throws(EventDecodingError) {
        guard let members = json.object else {
            throw self.failure(.malformed, "A structured event is a JSON object, not \(json.kind).")
        }
        for (name, member) in members where name != "data" {
            guard let text = member.string else { continue }
            if let header = EventHeaderName.passedThroughByAttribute[name] {
                self.pass(text, header)
            } else {
                if name == "userid" { try self.note(user: .text(text), "the attribute userid") }
                self.set(name, text)
            }
        }
    }

    private mutating func set(_ attribute: String, _ text: String) {
        switch attribute {
        case "id": self.id = text
        case "source": self.source = text
        case "type": self.type = text
        case "time": self.time = Timestamp(text)
        case "subject": self.subject = text
        case "userid": self.userID = text
        case "causationid": self.causationID = text
        case "stage": self.stage = text
        case "request": self.request = text
        default: break
        }
    }

    // MARK: Failures

    /// Makes an error with what is known about the event; attributes that are too long are left out.
    func failure(_ code: EventDecodingError.Code, _ detail: String) -> EventDecodingError {
        func told(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= Event.maximumIDBytes ? $0 : nil } }
        return EventDecodingError(
            code: code,
            detail: detail,
            type: told(self.type),
            userID: told(self.userID).map { UserID($0) },
            subject: told(self.subject).flatMap { $0.isEmpty ? nil : InteractionID($0) }
        )
    }
}
