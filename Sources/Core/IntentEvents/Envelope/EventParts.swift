package import IntentKit

/// An event in its record, in place: its attributes, and what is wrong with it (contract, section 2; R1, R47).
///
/// The one decoder of events: the turn's ``Event`` and the recorder's rows are made from it. It copies nothing, but points
/// into the record, and is valid for the call of ``RecordContent/withParts(_:)`` that has it made. First it has what key
/// and headers say; ``value`` is then to be parsed, and passed to ``read(_:)``.
package struct EventParts {
    /// A text in place: a header's value, or a JSON string.
    package struct Text {
        /// The bytes; of a JSON string, those between its quotes.
        package let bytes: UnsafeBufferPointer<UInt8>
        /// Whether there are a JSON string's escapes among them.
        package let isEscaped: Bool

        fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { (self.bytes, self.isEscaped) = (bytes, false) }

        fileprivate init?(_ json: JSONView?) {
            guard let content = json?.content else { return nil }
            (self.bytes, self.isEscaped) = content
        }

        package var isEmpty: Bool { self.bytes.isEmpty }

        /// The text, copied.
        package var string: String {
            self.isEscaped ? JSONView.unescaped(self.bytes) : String(decoding: self.bytes, as: UTF8.self)
        }

        /// Passes its UTF-8 to the closure: in place, unless there are escapes.
        package func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
            guard self.isEscaped else { return body(self.bytes) }
            var text = self.string
            return text.withUTF8(body)
        }

        /// Whether it has the UTF-8 of a text.
        package func isSame(as text: StaticString) -> Bool { self.withUTF8 { RecordParts.areEqual($0, text) } }

        fileprivate func isSame(as other: Text) -> Bool {
            self.withUTF8 { mine in other.withUTF8 { RecordParts.areEqual(mine, $0) } }
        }

        /// Whether it is longer than such an attribute may be.
        fileprivate var isTooLong: Bool {
            self.bytes.count > Event.maximumIDBytes && self.withUTF8 { $0.count > Event.maximumIDBytes }
        }
    }

    /// What is wrong with a record that is no event.
    package enum Defect {
        /// Key and headers take too many bytes.
        case envelopeTooLarge(Int)
        case noValue
        case valueTooLarge(Int)
        case unreadable(JSONParsingError)
        /// A structured event that is something else.
        case notAnObject(String)
        /// Two attributes name different users.
        case userMismatch(StaticString, StaticString)
        case missingType
        case missingUser
        case missingIntentName
        /// An attribute has too many bytes.
        case attributeTooLong(StaticString)
    }

    /// `ce_id`, or the attribute `id` of a structured event; the others likewise.
    ///
    /// Of two headers with one name the last counts, unless it is not UTF-8.
    package private(set) var id: Text?
    /// `ce_source`.
    package private(set) var source: Text?
    /// `ce_type`.
    package private(set) var type: Text?
    /// `ce_time`, which need not be a point in time.
    package private(set) var time: Text?
    /// `ce_subject`.
    package private(set) var subject: Text?
    /// `data.user.id`, else `ce_userid`; nil once two users were named.
    package private(set) var userID: Text?
    /// `ce_userid` alone.
    package private(set) var headerUserID: Text?
    /// `ce_causationid`.
    package private(set) var causationID: Text?
    /// `ce_stage`.
    package private(set) var stage: Text?
    /// `ce_request`.
    package private(set) var request: Text?
    /// Whether the content type says that attributes and data are one JSON object.
    package private(set) var isStructured = false
    /// Whether every header has a value, and those of the attributes are UTF-8.
    package private(set) var isPlain = true
    /// The value, while nothing is wrong; it may be nested ``maximumDepth`` deep.
    package private(set) var value: UnsafeBufferPointer<UInt8>?
    package private(set) var defect: Defect?

    private let isInbound: Bool
    private var isPassingThrough = false
    /// The record's key, which need not be text.
    private var key: Text?
    /// The first user that was named, and where.
    private var user: (name: Text, source: StaticString)?

    /// Reads key and headers.
    ///
    /// The record's key, `ce_userid` and `data.user.id`, where present, must be the same bytes (R1): a client that
    /// writes under one user's name and key must not act for another. Nothing is read after a mismatch.
    package init(_ parts: RecordParts, on topic: Topic) {
        self.isInbound = topic == .requests
        if let key = parts.key {
            self.key = Text(key)
            self.record(user: Text(key), "the record's key")
        }
        var headers = parts.headers
        while let header = headers.next() {
            guard let value = header.value else {
                self.isPlain = false
                continue
            }
            guard self.record(header.name, value) else { return }
        }
        self.value = parts.value
        let envelope = self.isInbound ? parts.envelopeCount + 16 * parts.headerCount : 0
        if envelope > Event.maximumInboundEnvelopeBytes {
            self.fail(.envelopeTooLarge(envelope))
        } else if let count = parts.value?.count {
            if self.isInbound, count > Event.maximumInboundBytes { self.fail(.valueTooLarge(count)) }
        } else {
            self.fail(.noValue)
        }
    }

    /// Starts an event in structured mode, without a record.
    init(structured: Void) {
        self.isInbound = false
        self.isStructured = true
    }

    /// How deep the value may be nested; intentd's own events hold clients' values at a greater depth.
    package var maximumDepth: Int { self.isInbound ? Event.maximumInboundDepth : JSONValue.defaultMaximumDepth }

    // MARK: Headers

    /// Collects a header; false when it names another user.
    private mutating func record(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        func isName(_ other: StaticString) -> Bool { RecordParts.areEqual(name, other) }
        // By length, so that most names are compared with only one or two others.
        switch name.count {
        case 5 where isName(EventHeaderName.Written.id): self.id = self.text(value) ?? self.id
        case 7 where isName(EventHeaderName.Written.type): self.type = self.text(value) ?? self.type
        case 7 where isName(EventHeaderName.Written.time): self.time = self.text(value) ?? self.time
        case 8 where isName(EventHeaderName.Written.stage): self.stage = self.text(value) ?? self.stage
        case 9 where isName(EventHeaderName.Written.userID):
            guard self.record(user: Text(value), "the header ce_userid") else { return false }
            self.headerUserID = self.text(value) ?? self.headerUserID
            self.userID = self.headerUserID
        case 9 where isName(EventHeaderName.Written.source): self.source = self.text(value) ?? self.source
        case 10 where isName(EventHeaderName.Written.subject): self.subject = self.text(value) ?? self.subject
        case 10 where isName(EventHeaderName.Written.request): self.request = self.text(value) ?? self.request
        case 12 where isName(EventHeaderName.Written.contentType) || Self.isContentType(name):
            self.record(contentType: value)
        // It is on every event and carries no information.
        case 14 where isName(EventHeaderName.Written.specVersion): break
        case 14 where isName(EventHeaderName.Written.causationID):
            self.causationID = self.text(value) ?? self.causationID
        default:
            if EventHeaderName.carried.contains(where: { isName($0.header) }) { self.isPassingThrough = true }
        }
        return true
    }

    /// A header's text; nil when it is not UTF-8.
    private mutating func text(_ value: UnsafeBufferPointer<UInt8>) -> Text? {
        guard value.isUTF8 else {
            self.isPlain = false
            return nil
        }
        return Text(value)
    }

    /// Whether a name of twelve bytes is `content-type`, ignoring case.
    private static func isContentType(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.lazy.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }.elementsEqual(EventHeaderName.contentType.utf8)
    }

    private mutating func record(contentType value: UnsafeBufferPointer<UInt8>) {
        if RecordParts.areEqual(value, EventHeaderName.Written.json) {
            self.isStructured = false
        } else if let text = String(validating: value, as: UTF8.self) {
            self.isStructured = text.lowercased().hasPrefix("application/cloudevents+json")
        }
    }

    /// Collects a user's name; an empty name is ignored.
    ///
    /// - Returns: False when another user was named before.
    @discardableResult
    private mutating func record(user name: Text, _ source: StaticString) -> Bool {
        guard !name.isEmpty else { return true }
        guard let known = self.user else {
            self.user = (name, source)
            return true
        }
        guard !known.name.isSame(as: name) else { return true }
        // The owner cannot be determined: no user is named, so no user hears of it.
        self.userID = nil
        self.fail(.userMismatch(known.source, source))
        return false
    }

    // MARK: The value

    /// Reads the parsed value: the attributes of a structured event, and what the data say of user and intent.
    package mutating func read(_ json: JSONView) {
        if self.isStructured {
            guard self.readAttributes(of: json) else { return }
        }
        let data = self.data(in: json)
        let named = Text(data?["user"]?["id"])
        if let named {
            guard self.record(user: named, "data.user.id") else { return }
        }
        guard let type = self.type, !type.isEmpty else { return self.fail(.missingType) }
        guard let userID = named ?? self.userID, !userID.isEmpty else { return self.fail(.missingUser) }
        self.userID = userID
        guard self.isShort(userID, "user"), self.isShort(self.subject, "subject"), self.isShort(self.id, "id"),
            self.isShort(type, "type")
        else { return }
        // Only requests have to name an intent.
        guard type.isSame(as: "intent.requested") else { return }
        let isNamed = data?["intent"]?["name"]?.content.map { !$0.bytes.isEmpty } ?? false
        if !isNamed { self.fail(.missingIntentName) }
    }

    /// The value is not JSON that can be read.
    package mutating func refuse(_ error: JSONParsingError) { self.fail(.unreadable(error)) }

    /// The data in the parsed value; nil for a structured event without any.
    package func data(in json: JSONView) -> JSONView? { self.isStructured ? json["data"] : json }

    /// Reads the attributes of a structured event; false when it is no object, or names another user.
    private mutating func readAttributes(of json: JSONView) -> Bool {
        guard json.kind == .object else {
            self.fail(.notAnObject(json.value.kind))
            return false
        }
        self.id = Text(json["id"]) ?? self.id
        self.source = Text(json["source"]) ?? self.source
        self.type = Text(json["type"]) ?? self.type
        self.time = Text(json["time"]) ?? self.time
        self.subject = Text(json["subject"]) ?? self.subject
        self.causationID = Text(json["causationid"]) ?? self.causationID
        self.stage = Text(json["stage"]) ?? self.stage
        self.request = Text(json["request"]) ?? self.request
        if let user = Text(json["userid"]) {
            guard self.record(user: user, "the attribute userid") else { return false }
            self.userID = user
        }
        return true
    }

    private mutating func isShort(_ text: Text?, _ name: StaticString) -> Bool {
        guard let text, text.isTooLong else { return true }
        self.userID = nil
        self.fail(.attributeTooLong(name))
        return false
    }

    private mutating func fail(_ defect: Defect) {
        self.defect = self.defect ?? defect
        self.value = nil
    }

    // MARK: What is passed through

    /// The headers and attributes that are passed through, unless they are too long or not UTF-8.
    func passedThrough(in parts: RecordParts?, _ json: JSONView) -> [String: String] {
        guard self.isPassingThrough || self.isStructured else { return [:] }
        var carried: [String: String] = [:]
        if self.isPassingThrough {
            parts?
                .forEachHeader { name, value in
                    guard let value, value.count <= Event.maximumIDBytes, value.isUTF8,
                        let header = EventHeaderName.carried.first(where: { RecordParts.areEqual(name, $0.header) })
                    else { return }
                    carried[header.name] = Text(value).string
                }
        }
        guard self.isStructured else { return carried }
        for header in EventHeaderName.carried {
            if let text = Text(json[header.attribute]), !text.isTooLong { carried[header.name] = text.string }
        }
        return carried
    }

    // MARK: Failures

    /// An attribute of a record that is no event; one that is too long is left out.
    package static func withinLimit(_ text: Text?) -> Text? { text.flatMap { $0.isTooLong ? nil : $0 } }

    /// What is wrong, with what is known about the event all the same.
    package var error: EventDecodingError {
        guard let defect = self.defect else { preconditionFailure("an event without a defect has no error") }
        return self.error(defect.code, defect.description)
    }

    /// An error with what is known about the event.
    private func error(_ code: EventDecodingError.Code, _ detail: String) -> EventDecodingError {
        EventDecodingError(
            code: code,
            detail: detail,
            type: Self.withinLimit(self.type)?.string,
            userID: Self.withinLimit(self.userID).map { UserID($0.string) },
            subject: Self.withinLimit(self.subject).flatMap { $0.isEmpty ? nil : InteractionID($0.string) },
            keyUserID: self.keyUserID
        )
    }

    /// The user whom the key alone names, where the value could not be read.
    private var keyUserID: UserID? {
        switch self.defect {
        case .noValue, .valueTooLarge, .unreadable, .notAnObject:
            guard self.userID?.isEmpty ?? true, let key = Self.withinLimit(self.key), !key.isEmpty, key.bytes.isUTF8
            else { return nil }
            return UserID(key.string)
        case .envelopeTooLarge, .userMismatch, .missingType, .missingUser, .missingIntentName, .attributeTooLong, nil:
            return nil
        }
    }

    /// What the headers alone say about an event whose value must not be read (R56).
    ///
    /// - Parameters:
    ///   - parts: The record; if its key and its headers name different users, no user is reported.
    ///   - detail: Why it is not read.
    /// - Returns: An error with what the headers say.
    static func unread(_ parts: RecordParts, detail: String) -> EventDecodingError {
        var event = EventParts(structured: ())
        parts.forEachHeader { name, value in
            guard let value, value.count <= Event.maximumIDBytes else { return }
            let text = value.isUTF8 ? Text(value) : nil
            if RecordParts.areEqual(name, EventHeaderName.Written.type) {
                event.type = text
            } else if RecordParts.areEqual(name, EventHeaderName.Written.userID) {
                event.userID = text
            } else if RecordParts.areEqual(name, EventHeaderName.Written.subject) {
                event.subject = text
            }
        }
        if let key = parts.key, let user = event.userID, !user.isSame(as: Text(key)) { event.userID = nil }
        return event.error(.crashed, detail)
    }
}

extension EventParts.Defect: CustomStringConvertible {
    package var code: EventDecodingError.Code {
        switch self {
        case .envelopeTooLarge, .valueTooLarge, .attributeTooLong: .tooLarge
        case .noValue, .unreadable, .notAnObject: .malformed
        case .userMismatch: .userMismatch
        case .missingType: .missingType
        case .missingUser: .missingUser
        case .missingIntentName: .missingIntentName
        }
    }

    /// What is wrong and what would be right.
    package var description: String {
        switch self {
        case .envelopeTooLarge(let count):
            "Key and headers take \(count) bytes; they take at most \(Event.maximumInboundEnvelopeBytes)."
        case .noValue: "The record has no value; an event is a JSON object."
        case .valueTooLarge(let count):
            "The value has \(count) bytes; events have at most \(Event.maximumInboundBytes)."
        case .unreadable(let error): "The value is not JSON that can be read: \(error)."
        case .notAnObject(let kind): "A structured event is a JSON object, not \(kind)."
        case .userMismatch(let one, let other):
            "\(one) and \(other) name different users; they are the same bytes, or left out."
        case .missingType: "The event has no type: set the header ce_type, or `type` in structured mode."
        case .missingUser: "The event has no user: set data.user.id, or the header ce_userid."
        case .missingIntentName: "The request names no intent: set data.intent.name."
        case .attributeTooLong(let name): "The event's \(name) is longer than \(Event.maximumIDBytes) bytes."
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    package var isUTF8: Bool {
        var all: UInt8 = 0
        for byte in self { all |= byte }
        return all < 0x80 || String(validating: self, as: UTF8.self) != nil
    }
}
