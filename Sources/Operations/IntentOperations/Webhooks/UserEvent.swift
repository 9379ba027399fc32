package import IntentEvents
internal import IntentKit

/// An event for a user as the gateway's clients get it: on a stream, and posted to the webhook.
package struct UserEvent: Sendable {
    /// The types of the events that clients can follow.
    package static let types: [EventType] = [
        .promptIssued, .intentResponded, .statusUpdated, .userNotified, .eventRejected, .userActivityCreated,
    ]

    package var type: EventType
    package var id: String
    /// The interaction; nil for an event that is about none.
    package var interaction: InteractionID?
    package var time: Timestamp
    /// The data, as JSON in one line.
    package var body: [UInt8]

    package init(type: EventType, id: String, interaction: InteractionID?, time: Timestamp, body: [UInt8]) {
        self.type = type
        self.id = id
        self.interaction = interaction
        self.time = time
        self.body = body
    }

    /// The event of a record; nil when its type is none of ``types``.
    package init?(_ event: Event, body: [UInt8]) {
        guard let type = event.knownType, Self.types.contains(type) else { return nil }
        self.init(type: type, id: event.id, interaction: event.subject, time: event.time, body: body)
    }

    /// `{"data","id","interaction","time","type"}` in UTF-8, in one line.
    package var json: [UInt8] {
        var text: [UInt8] = Array("{\"data\":".utf8)
        text.reserveCapacity(self.body.count + 256)
        text += self.body
        text += Array(",".utf8)
        let rest = JSONText.bytes { text in
            text.beginObject()
            text.name("id")
            text.string(self.id)
            text.name("interaction")
            text.stringOrNull(self.interaction?.text)
            text.name("time")
            text.string(self.time.description)
            text.name("type")
            text.string(self.type.rawValue)
            text.endObject()
        }
        text += rest.dropFirst()
        return text
    }

    /// The data in a record: the bytes of the value, where they are the data in one line, as intentd writes them; else
    /// the data written again.
    package static func body(of content: RecordContent, _ event: Event) -> [UInt8] {
        if content.hasHeader(EventHeaderName.contentType, "application/json"), let value = content.value,
            !value.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        {
            return value
        }
        return event.data.utf8
    }
}
