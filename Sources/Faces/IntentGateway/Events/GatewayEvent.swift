package import IntentEvents
package import IntentKit

/// An event for a user: a prompt, a response, progress, a rejection, a notification, an activity.
package struct GatewayEvent: Sendable {
    /// The position after it: a stream that begins there continues with the next event.
    package var position: EventPosition
    package var type: EventType
    /// The event's id, the same in every replica.
    package var id: String
    /// The interaction; nil for an event that is about none.
    package var interaction: InteractionID?
    package var userID: UserID
    /// The client that sent the request, from `ce_clientid`.
    package var clientID: String?
    package var time: Timestamp
    /// The data, as JSON in one line.
    package var body: [UInt8]

    init?(_ event: ViewedEvent, at position: EventPosition) {
        guard let type = event.event.knownType else { return nil }
        self.position = position
        self.type = type
        self.id = event.event.id
        self.interaction = event.event.subject
        self.userID = event.event.userID
        self.clientID = event.event.passedThrough[EventHeaderName.clientID]
        self.time = event.event.time
        self.body = event.body
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

    /// The data.
    package var data: JSONValue { (try? JSONValue(parsing: self.body)) ?? .null }
}
