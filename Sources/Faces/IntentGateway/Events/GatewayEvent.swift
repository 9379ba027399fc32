package import IntentEvents
package import IntentKit
internal import IntentOperations

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

    /// The event as clients get it, in UTF-8 and in one line.
    package var json: [UInt8] {
        UserEvent(type: self.type, id: self.id, interaction: self.interaction, time: self.time, body: self.body).json
    }

    /// The data.
    package var data: JSONValue { (try? JSONValue(parsing: self.body)) ?? .null }
}
