package import IntentKit

extension Event {
    /// The largest event that a client may send: 768 KiB (R47).
    package static let maximumInboundBytes = 768 * 1024
    /// What a client's key and headers may take together: 64 KiB, with 16 bytes for each header (R47).
    package static let maximumInboundEnvelopeBytes = 64 * 1024
    /// How deep a client may nest arrays and objects (R47); intentd's own events hold what clients wrote, deeper.
    package static let maximumInboundDepth = 64
    /// The longest id of a user or an interaction, in bytes; no type is longer, nor a header that is carried along.
    package static let maximumIDBytes = 1024

    /// Reads an event in binary or structured mode.
    ///
    /// What a client left out is filled in from the record's position and time, so that reading it again gives the
    /// same event.
    ///
    /// Where the record's key, `ce_userid` and `data.user.id` are there, they have to be the same bytes (R1): who writes
    /// under one user's name and key must not act for another.
    /// - Throws: ``EventDecodingError`` for what has no type, user or (a request) intent name, names two users, or is no
    ///   JSON.
    package init(
        headers: [EventHeader],
        key: [UInt8]?,
        value: [UInt8]?,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes = Attributes()
        var isStructured = false
        if let key { try attributes.note(user: key, "the record's key") }
        for header in headers {
            if header.name == EventHeaderName.userID, let user = header.value {
                try attributes.note(user: user, "the header ce_userid")
            }
            guard let attribute = Attribute(header: header.name), let bytes = header.value,
                let text = String(validating: bytes, as: UTF8.self)
            else { continue }
            switch attribute {
            case .passedThrough: attributes.pass(text, header.name)
            case .contentType: isStructured = text.lowercased().hasPrefix("application/cloudevents+json")
            case .named(let name): attributes.values[name] = text
            }
        }
        let isInbound = position.topic == .requests
        let envelope = headers.reduce(key?.count ?? 0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) + 16 }
        guard !isInbound || envelope <= Self.maximumInboundEnvelopeBytes else {
            throw attributes.failure(
                .tooLarge,
                "Key and headers take \(envelope) bytes; they take at most \(Self.maximumInboundEnvelopeBytes)."
            )
        }
        guard let value else {
            throw attributes.failure(.malformed, "The record has no value; an event is a JSON object.")
        }
        guard !isInbound || value.count <= Self.maximumInboundBytes else {
            throw attributes.failure(
                .tooLarge,
                "The value has \(value.count) bytes; events have at most \(Self.maximumInboundBytes)."
            )
        }
        let depth = isInbound ? Self.maximumInboundDepth : JSONValue.defaultMaximumDepth
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: value, maximumDepth: depth)
        } catch {
            throw attributes.failure(.malformed, "The value is not JSON that can be read: \(error).")
        }
        let data = isStructured ? try attributes.take(structured: json) : json
        try self.init(attributes, data: data, position: position, timestamp: timestamp)
    }

    /// Reads an event in structured mode whose JSON is known already.
    ///
    /// - Throws: ``EventDecodingError``, as for records.
    package init(
        structured json: JSONValue,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes = Attributes()
        let data = try attributes.take(structured: json)
        try self.init(attributes, data: data, position: position, timestamp: timestamp)
    }

    /// What the headers alone say of an event whose value is not to be read (R56).
    ///
    /// - Parameters:
    ///   - headers: The record's headers; of two with one name the last counts.
    ///   - key: The record's key: where it names another user than the headers do, it is nobody's event.
    ///   - detail: Why it is not read.
    /// - Returns: Why there is no event, with what the headers say.
    package static func unread(_ headers: [EventHeader], key: [UInt8]?, detail: String) -> EventDecodingError {
        var attributes = Attributes()
        for header in headers {
            guard case .named(let name)? = Attribute(header: header.name), [.type, .userID, .subject].contains(name),
                let bytes = header.value, bytes.count <= Self.maximumIDBytes
            else { continue }
            attributes.values[name] = String(validating: bytes, as: UTF8.self)
        }
        if let key, let user = attributes.values[.userID], !user.utf8.elementsEqual(key) {
            attributes.values[.userID] = nil
        }
        return attributes.failure(.crashed, detail)
    }

    /// CloudEvents' attributes as they are collected.
    private struct Attributes {
        /// The attributes that say something to intentd.
        var values = AttributeValues()
        /// The headers that are carried along.
        var passedThrough: [String: String] = [:]
        /// The bytes of the first user that was named, and where.
        private var user: (bytes: [UInt8], place: String)?

        /// Takes note of a user who is named; an empty name says nothing.
        /// - Throws: ``EventDecodingError``, `userMismatch`, when another one was named before.
        mutating func note(user bytes: [UInt8], _ place: String) throws(EventDecodingError) {
            guard !bytes.isEmpty else { return }
            guard let known = self.user else {
                self.user = (bytes, place)
                return
            }
            guard known.bytes != bytes else { return }
            // Whose it is cannot be told: nobody is named, so nobody hears of it.
            self.values[.userID] = nil
            throw self.failure(
                .userMismatch,
                "\(known.place) and \(place) name different users; they are the same bytes, or left out."
            )
        }

        /// The interaction's id; an empty one is none.
        var subject: InteractionID? { self.values[.subject].flatMap { $0.isEmpty ? nil : InteractionID($0) } }

        /// Carries a header along unless it is too long.
        mutating func pass(_ text: String, _ header: String) {
            if text.utf8.count <= Event.maximumIDBytes { self.passedThrough[header] = text }
        }

        /// Takes the attributes of a structured event and returns its data.
        mutating func take(structured json: JSONValue) throws(EventDecodingError) -> JSONValue {
            guard let members = json.object else {
                throw self.failure(.malformed, "A structured event is a JSON object, not \(json.kind).")
            }
            for (name, member) in members where name != "data" {
                guard let text = member.string else { continue }
                if let header = EventHeaderName.passedThroughByAttribute[name] {
                    self.pass(text, header)
                } else {
                    if name == "userid" { try self.note(user: Array(text.utf8), "the attribute userid") }
                    if let name = Attribute.Name(rawValue: name) { self.values[name] = text }
                }
            }
            return members["data"] ?? .object([:])
        }

        /// An error with what could be told of the event all the same; what is too long tells nothing.
        func failure(_ code: EventDecodingError.Code, _ detail: String) -> EventDecodingError {
            func attribute(_ name: Attribute.Name) -> String? {
                self.values[name].flatMap { $0.utf8.count <= Event.maximumIDBytes ? $0 : nil }
            }
            return EventDecodingError(
                code: code,
                detail: detail,
                type: attribute(.type),
                userID: attribute(.userID).map { UserID($0) },
                subject: attribute(.subject).flatMap { $0.isEmpty ? nil : InteractionID($0) }
            )
        }
    }

    private init(
        _ attributes: Attributes,
        data: JSONValue,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes = attributes
        let named = data["user"]?["id"]?.string
        if let named { try attributes.note(user: Array(named.utf8), "data.user.id") }
        guard let type = attributes.values[.type], !type.isEmpty else {
            throw attributes.failure(
                .missingType,
                "The event has no type: set the header ce_type, or `type` in structured mode."
            )
        }
        let userID = named ?? attributes.values[.userID] ?? ""
        guard !userID.isEmpty else {
            throw attributes.failure(.missingUser, "The event has no user: set data.user.id, or the header ce_userid.")
        }
        attributes.values[.userID] = userID
        for (name, text) in [
            ("user", userID), ("subject", attributes.values[.subject]), ("id", attributes.values[.id]),
            ("type", type),
        ] {
            guard let text, text.utf8.count > Self.maximumIDBytes else { continue }
            attributes.values[.userID] = nil
            throw attributes.failure(.tooLarge, "The event's \(name) is longer than \(Self.maximumIDBytes) bytes.")
        }
        if type == EventType.intentRequested.rawValue {
            guard let name = data["intent"]?["name"]?.string, !name.isEmpty else {
                throw attributes.failure(.missingIntentName, "The request names no intent: set data.intent.name.")
            }
        }
        self.init(
            id: attributes.values[.id] ?? position.description,
            source: attributes.values[.source] ?? "unknown",
            rawType: type,
            time: attributes.values[.time].flatMap(Timestamp.init) ?? timestamp,
            subject: attributes.subject,
            userID: UserID(userID),
            causationID: attributes.values[.causationID],
            stage: attributes.values[.stage].flatMap(Stage.init(rawValue:)),
            request: attributes.values[.request]
                .flatMap { $0.utf8.count <= Self.maximumIDBytes ? RequestID($0) : nil },
            passedThrough: attributes.passedThrough,
            data: data
        )
    }
}
