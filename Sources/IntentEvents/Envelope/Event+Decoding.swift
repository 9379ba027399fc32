package import IntentKit

extension Event {
    /// The largest event that a client may send: 768 KiB (R47).
    package static let maximumInboundBytes = 768 * 1024
    /// The maximum size of a client's key and headers together: 64 KiB, with 16 bytes for each header (R47).
    package static let maximumInboundEnvelopeBytes = 64 * 1024
    /// The maximum depth of a client's arrays and objects (R47); intentd's own events hold clients' values at a greater
    /// depth.
    package static let maximumInboundDepth = 64
    /// The maximum length of the id of a user or an interaction in bytes; the same holds for types and passed-through
    /// headers.
    package static let maximumIDBytes = 1024

    /// Reads an event in binary or structured mode.
    ///
    /// What a client left out is filled in from the record's position and time, so that reading it again gives the same
    /// event.
    ///
    /// The record's key, `ce_userid` and `data.user.id`, where present, must be the same bytes (R1): a client that
    /// writes under one user's name and key must not act for another.
    /// - Throws: ``EventDecodingError`` for an event without type, user or (for a request) intent name, one that names
    ///   two users, or invalid JSON.
    package init(
        _ content: RecordContent,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        let read = content.withParts { parts -> Result<Event, EventDecodingError> in
            do throws(EventDecodingError) {
                return .success(try Event(content, parts, position: position, timestamp: timestamp))
            } catch {
                return .failure(error)
            }
        }
        self = try read.get()
    }

    private init(
        _ content: RecordContent,
        _ parts: RecordParts,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes = EventAttributeValues()
        if let key = parts.key { try attributes.note(user: .bytes(key), "the record's key") }
        try attributes.note(headersOf: parts)
        let isInbound = position.topic == .requests
        if isInbound {
            let envelope = parts.envelopeCount + 16 * parts.headerCount
            guard envelope <= Self.maximumInboundEnvelopeBytes else {
                throw attributes.failure(
                    .tooLarge,
                    "Key and headers take \(envelope) bytes; they take at most \(Self.maximumInboundEnvelopeBytes)."
                )
            }
        }
        guard let value = parts.value else {
            throw attributes.failure(.malformed, "The record has no value; an event is a JSON object.")
        }
        guard !isInbound || value.count <= Self.maximumInboundBytes else {
            throw attributes.failure(
                .tooLarge,
                "The value has \(value.count) bytes; events have at most \(Self.maximumInboundBytes)."
            )
        }
        let depth = isInbound ? Self.maximumInboundDepth : JSONValue.defaultMaximumDepth
        var data: EventData
        do throws(JSONParsingError) {
            data = EventData(content, try JSONTape.nodes(of: value, maximumDepth: depth))
        } catch {
            throw attributes.failure(.malformed, "The value is not JSON that can be read: \(error).")
        }
        if attributes.isStructured {
            try attributes.read(structured: data.value)
            data.narrow(to: "data")
        }
        try self.init(attributes, data, position: position, timestamp: timestamp)
    }

    /// Reads an event in structured mode from parsed JSON.
    ///
    /// - Throws: ``EventDecodingError``, as for records.
    package init(
        structured json: JSONValue,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes = EventAttributeValues()
        try attributes.read(structured: json)
        let data = json["data"] ?? .object([:])
        try self.init(attributes, EventData(data), position: position, timestamp: timestamp)
    }

    /// What the headers alone say about an event whose value must not be read (R56).
    ///
    /// - Parameters:
    ///   - content: The record; if its key and its headers name different users, no user is reported.
    ///   - detail: Why it is not read.
    /// - Returns: An error with what the headers say.
    package static func unread(_ content: RecordContent, detail: String) -> EventDecodingError {
        content.withParts { parts in
            var attributes = EventAttributeValues()
            attributes.noteShortNames(in: parts)
            if let key = parts.key, let user = attributes.userID, !RecordParts.areEqual(key, user) {
                attributes.userID = nil
            }
            return attributes.failure(.crashed, detail)
        }
    }

    private init(
        _ attributes: EventAttributeValues,
        _ data: EventData,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes = attributes
        var named: String?
        // Only requests have to name an intent.
        var hasIntentName = attributes.type != EventType.intentRequested.rawValue
        data.look { data in
            named = data["user"]?["id"]?.string(known: attributes.userID)
            if !hasIntentName {
                hasIntentName = data["intent"]?["name"]?.content.map { !$0.bytes.isEmpty } ?? false
            }
        }
        if let named { try attributes.note(user: .text(named), "data.user.id") }
        guard let type = attributes.type, !type.isEmpty else {
            throw attributes.failure(
                .missingType,
                "The event has no type: set the header ce_type, or `type` in structured mode."
            )
        }
        let userID = named ?? attributes.userID ?? ""
        guard !userID.isEmpty else {
            throw attributes.failure(.missingUser, "The event has no user: set data.user.id, or the header ce_userid.")
        }
        attributes.userID = userID
        func check(_ name: String, _ text: String?) throws(EventDecodingError) {
            guard let text, text.utf8.count > Self.maximumIDBytes else { return }
            attributes.userID = nil
            throw attributes.failure(.tooLarge, "The event's \(name) is longer than \(Self.maximumIDBytes) bytes.")
        }
        try check("user", userID)
        try check("subject", attributes.subject)
        try check("id", attributes.id)
        try check("type", type)
        guard hasIntentName else {
            throw attributes.failure(.missingIntentName, "The request names no intent: set data.intent.name.")
        }
        self.init(
            id: attributes.id ?? position.description,
            source: attributes.source ?? "unknown",
            rawType: type,
            time: attributes.time ?? timestamp,
            subject: attributes.interactionID,
            userID: UserID(userID),
            causationID: attributes.causationID,
            stage: attributes.stage.flatMap(Stage.init(rawValue:)),
            request: attributes.request.flatMap { $0.utf8.count <= Self.maximumIDBytes ? RequestID($0) : nil },
            passedThrough: attributes.passedThrough,
            fields: data
        )
    }
}
