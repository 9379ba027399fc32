package import IntentKit

extension Event {
    /// The largest event that a client may send: 768 KiB (R47).
    package static let maximumInboundBytes = 768 * 1024
    /// The maximum size of a client's key and headers together: 64 KiB, with 16 bytes for each header (R47).
    package static let maximumInboundEnvelopeBytes = 64 * 1024
    /// The maximum depth of a client's arrays and objects (R47).
    package static let maximumInboundDepth = 64
    /// The maximum length of the id of a user or an interaction in bytes; the same holds for types and passed-through
    /// headers.
    package static let maximumIDBytes = 1024

    /// Reads an event in binary or structured mode.
    ///
    /// What a client left out is filled in from the record's position and time, so that reading it again gives the same
    /// event.
    /// - Throws: ``EventDecodingError`` for an event without type, user or (for a request) intent name, one that names
    ///   two users, or invalid JSON.
    package init(_ content: RecordContent, position: RecordPosition, timestamp: Timestamp) throws(EventDecodingError) {
        let read = content.withParts { parts -> Result<Event, EventDecodingError> in
            var event = EventParts(parts, on: position.topic)
            var read: Result<Event, EventDecodingError>?
            if let value = event.value {
                do throws(JSONParsingError) {
                    let nodes = try JSONTape.nodes(of: value, maximumDepth: event.maximumDepth)
                    nodes.withUnsafeBufferPointer { buffer in
                        JSONTape.withView(of: value, buffer, JSONTape.root) { json in
                            event.read(json)
                            guard event.defect == nil else { return }
                            let data = event.data(in: json).map { EventData(content, nodes, $0.node) }
                            let passed = event.passedThrough(in: parts, json)
                            read = .success(Event(event, data, passed, position, timestamp))
                        }
                    }
                } catch {
                    event.refuse(error)
                }
            }
            // Moved out: an event is large to copy.
            return read.take() ?? .failure(event.error)
        }
        switch consume read {
        case .success(let event): self = event
        case .failure(let error): throw error
        }
    }

    /// Reads an event in structured mode from parsed JSON.
    ///
    /// - Throws: ``EventDecodingError``, as for records.
    package init(
        structured json: JSONValue,
        position: RecordPosition,
        timestamp: Timestamp
    ) throws(EventDecodingError) {
        var event = EventParts(structured: ())
        var decoded: Event?
        // A text that was just written can be read at any depth.
        json.utf8.withUnsafeBufferPointer { text in
            try? JSONTape.withView(of: text, maximumDepth: .max) { view in
                event.read(view)
                guard event.defect == nil else { return }
                let data = json["data"].map { EventData($0) }
                decoded = Event(event, data, event.passedThrough(in: nil, view), position, timestamp)
            }
        }
        guard let decoded else { throw event.error }
        self = decoded
    }

    /// What the headers alone say about an event whose value must not be read (R56).
    ///
    /// - Parameters:
    ///   - content: The record; if its key and its headers name different users, no user is reported.
    ///   - detail: Why it is not read.
    /// - Returns: An error with what the headers say.
    package static func unread(_ content: RecordContent, detail: String) -> EventDecodingError {
        content.withParts { EventParts.unread($0, detail: detail) }
    }

    private init(
        _ parts: EventParts,
        _ data: EventData?,
        _ passedThrough: [String: String],
        _ position: RecordPosition,
        _ timestamp: Timestamp
    ) {
        self.init(
            id: parts.id?.string ?? position.description,
            source: parts.source.map(Self.source) ?? "unknown",
            rawType: parts.type.map(Self.type) ?? "",
            time: parts.time.flatMap { $0.withUTF8 { Timestamp.read($0)?.time } } ?? timestamp,
            subject: parts.subject.flatMap { $0.isEmpty ? nil : InteractionID($0.string) },
            userID: UserID(parts.userID?.string ?? ""),
            causationID: parts.causationID?.string,
            stage: parts.stage.flatMap { Stage(rawValue: $0.string) },
            request: EventParts.withinLimit(parts.request).map { RequestID($0.string) },
            passedThrough: passedThrough,
            fields: data ?? EventData(.object([:]))
        )
    }

    /// A type's text; intentd's own types need no allocation.
    private static func type(_ text: EventParts.Text) -> String {
        text.withUTF8 { EventType(utf8: $0) }?.rawValue ?? text.string
    }

    /// A source's text; intentd's own sources need no allocation.
    private static func source(_ text: EventParts.Text) -> String {
        Stage.allCases.first { stage in text.withUTF8 { RecordParts.areEqual($0, stage.source) } }?.source
            ?? text.string
    }
}
