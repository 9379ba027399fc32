internal import IntentEvents
package import IntentKit

extension Interaction {
    /// The form in state and on the topics between the stages.
    package var json: JSONValue {
        .members([
            "id": self.id.json,
            "request": self.request.json,
            "content": self.content.map(JSONValue.string),
            "startedAt": .integer(self.startedAt.milliseconds),
            "user": self.user.json,
            "device": self.device.json,
            "locale": .string(self.locale),
            "groupIdentifier": self.groupIdentifier.map(JSONValue.string),
            "expiresAt": self.expiresAt.map { .integer($0.milliseconds) },
            "presentation": self.presentation?.json,
            "intent": self.intent.json,
            "ignored": self.ignoredParameters.isEmpty ? nil : .array(self.ignoredParameters.map(JSONValue.string)),
            "headers": self.passedThrough.isEmpty ? nil : .object(self.passedThrough.mapValues(JSONValue.string)),
            "turns": .integer(Int64(self.turns)),
            "history": self.history.isEmpty ? nil : .string(String(self.history.map(\.rawValue))),
            "settled": self.settled.isEmpty ? nil : .array(self.settled.sorted().map(JSONValue.string)),
            "confirmed": self.confirmed.isEmpty
                ? nil
                : .object(
                    self.confirmed.mapValues { values in
                        .object(Dictionary(uniqueKeysWithValues: values.map { (String($0.key), $0.value) }))
                    }
                ),
            "refused": self.refused.isEmpty ? nil : .object(self.refused),
            "attempts": self.attempts.isEmpty ? nil : .object(self.attempts.mapValues { .integer(Int64($0)) }),
            "prompt": self.prompt?.json,
            "shown": self.shown,
            "accepted": self.isAccepted ? true : nil,
            "appDeadline": self.appDeadline.map { .integer($0.milliseconds) },
        ])
    }

    /// Reads the form in state; nil when it is none.
    package init?(json: JSONValue) {
        guard let id = json["id"]?.string, let request = json["request"]?.string,
            let startedAt = json["startedAt"]?.integer, let user = json["user"].flatMap(RequestingUser.init(state:)),
            let device = json["device"].map(RequestingDevice.init(state:)), let locale = json["locale"]?.string,
            let intent = json["intent"].flatMap(IntentSnapshot.init(json:)), let turns = json["turns"]?.count
        else { return nil }
        self.init(
            id: InteractionID(id),
            request: RequestID(request),
            startedAt: Timestamp(milliseconds: startedAt),
            user: user,
            device: device,
            locale: locale,
            intent: intent
        )
        self.content = json["content"]?.string
        self.groupIdentifier = json["groupIdentifier"]?.string
        self.presentation = json["presentation"].flatMap(Presentation.init(json:))
        self.expiresAt = json["expiresAt"]?.integer.map(Timestamp.init(milliseconds:))
        self.ignoredParameters = (json["ignored"]?.array ?? []).compactMap(\.string)
        self.passedThrough = (json["headers"]?.object ?? [:]).compactMapValues(\.string)
        self.turns = turns
        // A prompt that is not understood is not the same as none: it would never be answered, nor its time be up.
        let history = json["history"]?.string ?? ""
        self.history = history.compactMap(PastPrompt.init(rawValue:))
        guard self.history.count == history.count else { return nil }
        self.settled = Set((json["settled"]?.array ?? []).compactMap(\.string))
        for (parameter, values) in json["confirmed"]?.object ?? [:] {
            for (index, value) in values.object ?? [:] {
                if let index = Int(index) { self.confirmed[parameter, default: [:]][index] = value }
            }
        }
        self.refused = json["refused"]?.object ?? [:]
        self.attempts = (json["attempts"]?.object ?? [:]).compactMapValues(\.count)
        if let prompt = json["prompt"] {
            self.prompt = Prompt(json: prompt)
            guard self.prompt != nil else { return nil }
        }
        self.shown = json["shown"]
        self.isAccepted = json["accepted"]?.bool ?? false
        self.appDeadline = json["appDeadline"]?.integer.map(Timestamp.init(milliseconds:))
    }
}

extension RequestingUser {
    /// The form in state.
    var json: JSONValue {
        .members([
            "id": .string(self.id),
            "authorization": self.authorization == .authorized ? nil : .string(self.authorization.rawValue),
            "authenticated": self.isAuthenticated ? nil : false,
            "contactsAccess": self.hasContactsAccess ? nil : false,
        ])
    }

    /// Reads the form in state.
    init?(state json: JSONValue) {
        guard let id = json["id"]?.string else { return nil }
        self.init(
            id: id,
            authorization: json["authorization"]?.string.flatMap(Authorization.init(rawValue:)) ?? .authorized,
            isAuthenticated: json["authenticated"]?.bool ?? true,
            hasContactsAccess: json["contactsAccess"]?.bool ?? true
        )
    }
}

extension RequestingDevice {
    /// The form in state.
    var json: JSONValue {
        .members([
            "id": self.id.map(JSONValue.string),
            "locked": self.isLocked.map(JSONValue.bool),
            "appVersion": self.appVersion.map(JSONValue.string),
        ])
    }

    /// Reads the form in state.
    init(state json: JSONValue) {
        self.init(id: json["id"]?.string, isLocked: json["locked"]?.bool, appVersion: json["appVersion"]?.string)
    }
}
