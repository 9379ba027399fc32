internal import IntentEvents
package import IntentKit

extension Interaction {
    /// The form in state and on the topics between the stages.
    package var json: JSONValue {
        .members([
            "accepted": self.isAccepted ? true : nil,
            "appDeadline": self.appDeadline.map { .integer($0.milliseconds) },
            "attempts": self.attempts.isEmpty ? nil : .object(self.attempts.mapValues { .integer(Int64($0)) }),
            "confirmed": self.confirmed.isEmpty
                ? nil
                : .object(
                    self.confirmed.mapValues { values in
                        .object(Dictionary(uniqueKeysWithValues: values.map { (String($0.key), $0.value) }))
                    }
                ),
            "content": self.content.map(JSONValue.string),
            "device": self.device.json,
            "expiresAt": self.expiresAt.map { .integer($0.milliseconds) },
            "groupIdentifier": self.groupIdentifier.map(JSONValue.string),
            "headers": self.passedThrough.isEmpty ? nil : .object(self.passedThrough.mapValues(JSONValue.string)),
            "history": self.history.isEmpty ? nil : .string(String(self.history.map(\.rawValue))),
            "id": self.id.json,
            "ignored": self.ignoredParameters.isEmpty ? nil : .array(self.ignoredParameters.map(JSONValue.string)),
            "intent": self.intent.json,
            "locale": .string(self.locale),
            "presentation": self.presentation?.json,
            "prompt": self.prompt?.json,
            "refused": self.refused.isEmpty ? nil : .object(self.refused),
            "request": self.request.json,
            "settled": self.settled.isEmpty ? nil : .array(self.settled.sorted().map(JSONValue.string)),
            "shown": self.shown,
            "startedAt": .integer(self.startedAt.milliseconds),
            "turns": .integer(Int64(self.turns)),
            "user": self.user.json,
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
            "authenticated": self.isAuthenticated ? nil : false,
            "authorization": self.authorization == .authorized ? nil : .string(self.authorization.rawValue),
            "contactsAccess": self.hasContactsAccess ? nil : false,
            "id": .string(self.id),
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
            "appVersion": self.appVersion.map(JSONValue.string),
            "id": self.id.map(JSONValue.string),
            "locked": self.isLocked.map(JSONValue.bool),
        ])
    }

    /// Reads the form in state.
    init(state json: JSONValue) {
        self.init(id: json["id"]?.string, isLocked: json["locked"]?.bool, appVersion: json["appVersion"]?.string)
    }
}
