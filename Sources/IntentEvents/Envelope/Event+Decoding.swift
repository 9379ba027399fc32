internal import IntentKit

extension Event {
    /// The largest event that a client may send: 768 KiB (SPEC R47).
    package static let maximumInboundBytes = 768 * 1024
    /// The longest id of a user or an interaction, in bytes.
    package static let maximumIDBytes = 1024

    /// Reads an event in binary or structured mode.
    ///
    /// What a client left out is filled in from the record's position and time, so that reading it again gives the
    /// same event.
    /// - Throws: ``EventDecodingError`` for what has no type, user or (a request) intent name, or is no JSON.
    package init(
        headers: [EventHeader],
        value: [UInt8]?,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var attributes: [String: String] = [:]
        var passedThrough: [String: String] = [:]
        var isStructured = false
        for header in headers {
            let isAttribute = header.name.hasPrefix("ce_")
            let isPassedThrough = EventHeaderName.passedThrough.contains(header.name)
            guard isAttribute || isPassedThrough || header.name.lowercased() == EventHeaderName.contentType else {
                continue
            }
            guard let bytes = header.value, let text = String(validating: bytes, as: UTF8.self) else { continue }
            if isPassedThrough {
                if bytes.count <= Self.maximumIDBytes { passedThrough[header.name] = text }
            } else if isAttribute {
                attributes[String(header.name.dropFirst(3))] = text
            } else {
                isStructured = text.lowercased().hasPrefix("application/cloudevents+json")
            }
        }
        func failure(_ code: EventDecodingError.Code, _ detail: String) -> EventDecodingError {
            EventDecodingError(
                code: code,
                detail: detail,
                type: attributes["type"],
                userID: attributes["userid"],
                subject: attributes["subject"]
            )
        }
        guard let value else { throw failure(.malformed, "The record has no value; an event is a JSON object.") }
        var data: JSONValue
        do throws(JSONParsingError) {
            data = try JSONValue(parsing: value)
        } catch {
            throw failure(.malformed, "The value is not JSON that can be read: \(error).")
        }
        if isStructured {
            guard let members = data.object else {
                throw failure(.malformed, "A structured event is a JSON object, not \(data.kind).")
            }
            for (name, member) in members where name != "data" {
                guard let text = member.string else { continue }
                let header = name.hasPrefix("trace") ? name : "ce_" + name
                if EventHeaderName.passedThrough.contains(header) {
                    if text.utf8.count <= Self.maximumIDBytes { passedThrough[header] = text }
                } else {
                    attributes[name] = text
                }
            }
            data = members["data"] ?? .object([:])
        }
        guard let type = attributes["type"], !type.isEmpty else {
            throw failure(.missingType, "The event has no type: set the header ce_type, or `type` in structured mode.")
        }
        let userID = data["user"]?["id"]?.string ?? attributes["userid"] ?? ""
        guard !userID.isEmpty else {
            throw failure(.missingUser, "The event has no user: set data.user.id, or the header ce_userid.")
        }
        attributes["userid"] = userID
        for (name, text) in [("user", userID), ("subject", attributes["subject"]), ("id", attributes["id"])] {
            guard let text, text.utf8.count > Self.maximumIDBytes else { continue }
            attributes["userid"] = nil
            throw failure(.tooLarge, "The event's \(name) is longer than \(Self.maximumIDBytes) bytes.")
        }
        if type == EventType.intentRequested.rawValue {
            guard let name = data["intent"]?["name"]?.string, !name.isEmpty else {
                throw failure(.missingIntentName, "The request names no intent: set data.intent.name.")
            }
        }
        self.init(
            id: attributes["id"] ?? position.description,
            source: attributes["source"] ?? "unknown",
            rawType: type,
            time: attributes["time"].flatMap(Timestamp.init) ?? timestamp,
            subject: attributes["subject"].flatMap { $0.isEmpty ? nil : $0 },
            userID: userID,
            causationID: attributes["causationid"],
            stage: attributes["stage"].flatMap(Stage.init(rawValue:)),
            request: attributes["request"],
            passedThrough: passedThrough,
            data: data
        )
    }
}
