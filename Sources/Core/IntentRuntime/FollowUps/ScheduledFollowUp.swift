package import IntentEvents
package import IntentKit

/// What a handler starts or sends, on its way to its user: resolve keeps it until its time (R77).
package struct ScheduledFollowUp: Hashable, Sendable, JSONReadable {
    /// The id of the interaction that it begins.
    package var id: InteractionID
    /// What its request follows from.
    package var origin: FollowUpOrigin
    /// The id of the interaction that it follows from.
    package var follows: InteractionID
    /// The name of that interaction's intent.
    package var followedIntent: String
    package var content: FollowUp.Content
    /// What its first prompt begins with, or the words of a notification.
    package var dialog: String?
    /// When it is due; nil for now.
    package var at: Timestamp?
    /// The user whom it is for; nil for the user of the interaction that it follows from.
    package var user: UserID?
    package var locale: String
    package var timeZone: String?
    /// The group of the interaction that it follows from, for the same user.
    package var groupIdentifier: String?
    /// Whether the same user's contacts may be used.
    package var hasContactsAccess: Bool
    /// The headers that are passed on: of the trace, and, for the same user, the client's.
    package var headers: [String: String] = [:]

    /// Describes a follow-up of an interaction.
    init(_ element: FollowUpList.Element, of interaction: Interaction) {
        self.id = element.id
        self.origin = FollowUpOrigin(
            request: interaction.request,
            depth: (interaction.followsFrom?.depth ?? 0) + 1,
            name: element.followUp.name
        )
        self.follows = interaction.id
        self.followedIntent = interaction.intent.name
        self.content = element.followUp.content
        self.dialog = element.followUp.dialog
        self.at = element.followUp.at.map(Timestamp.init(date:))
        self.user = element.followUp.user.map { UserID($0) }
        self.locale = interaction.locale
        let isForAnother = self.user != nil
        self.timeZone = isForAnother ? nil : interaction.timeZone
        self.groupIdentifier = isForAnother ? nil : interaction.groupIdentifier
        self.hasContactsAccess = !isForAnother && interaction.user.hasContactsAccess
        let names = ["traceparent", "tracestate"] + (isForAnother ? [] : [EventHeaderName.clientID])
        for name in names { self.headers[name] = interaction.passedThrough[name] }
    }

    /// The form in state and on `signals`.
    package var json: JSONObject {
        var json: JSONObject = [
            "depth": .integer(Int64(self.origin.depth)),
            "follows": self.follows.json,
            "followedIntent": .string(self.followedIntent),
            "interaction": self.id.json,
            "locale": .string(self.locale),
            "name": .string(self.origin.name),
            "request": self.origin.request.json,
        ]
        switch self.content {
        case .intent(let intent): json["intent"] = intent.json
        case .notification(let details): json["details"] = .object(details)
        }
        json["at"] = self.at.map { .integer($0.milliseconds) }
        json["contactsAccess"] = self.hasContactsAccess ? nil : false
        json["dialog"] = self.dialog.map(JSONValue.string)
        json["for"] = self.user?.json
        json["groupIdentifier"] = self.groupIdentifier.map(JSONValue.string)
        if !self.headers.isEmpty { json["headers"] = .object(JSONObject(self.headers.mapValues(JSONValue.string))) }
        json["timeZone"] = self.timeZone.map(JSONValue.string)
        return json
    }

    package init?(_ json: JSONView) {
        guard let id = json["interaction"]?.string, let depth = json["depth"]?.count, let name = json["name"]?.string,
            let request = json["request"]?.string, let follows = json["follows"]?.string,
            let followedIntent = json["followedIntent"]?.string, let locale = json["locale"]?.string
        else { return nil }
        if let intent = json["intent"].flatMap(IntentSnapshot.init(_:)) {
            self.content = .intent(intent)
        } else if let details = json["details"]?.value.object {
            self.content = .notification(details)
        } else {
            return nil
        }
        self.id = InteractionID(id)
        self.origin = FollowUpOrigin(request: RequestID(request), depth: depth, name: name)
        self.follows = InteractionID(follows)
        self.followedIntent = followedIntent
        self.dialog = json["dialog"]?.string
        self.at = json["at"]?.integer.map(Timestamp.init(milliseconds:))
        self.user = json["for"]?.string.map { UserID($0) }
        self.locale = locale
        self.timeZone = json["timeZone"]?.string
        self.groupIdentifier = json["groupIdentifier"]?.string
        self.hasContactsAccess = json["contactsAccess"]?.bool ?? true
        self.headers = (json["headers"]?.value.object ?? [:]).compactMapValues(\.string)
    }

    /// The data of the request of an intent: without a device, without a sign-in.
    func request(of user: UserID, _ intent: IntentSnapshot) -> JSONValue {
        var userData: JSONObject = ["authenticated": false, "id": user.json]
        if !self.hasContactsAccess { userData["contactsAccess"] = false }
        return .members([
            "dialog": self.dialog.map(JSONValue.string),
            "follows": self.user == nil
                ? ["interaction": self.follows.json, "name": .string(self.origin.name)] : nil,
            "groupIdentifier": self.groupIdentifier.map(JSONValue.string),
            "intent": intent.json,
            "locale": .string(self.locale),
            "timeZone": self.timeZone.map(JSONValue.string),
            "user": .object(userData),
        ])
    }
}
