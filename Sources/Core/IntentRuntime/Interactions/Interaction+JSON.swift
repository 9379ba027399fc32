internal import IntentEvents
package import IntentKit

extension Interaction: JSONWritable, JSONReadable {
    /// Writes the form in state and on the topics between the stages.
    package func write(to text: inout JSONText) {
        text.beginObject()
        text.member("accepted", ifTrue: self.isAccepted)
        if !self.again.isEmpty { text.member("again", value: .object(self.again.mapValues(\.json))) }
        if !self.ambiguous.isEmpty {
            let ambiguous = self.ambiguous.mapValues { texts in
                JSONValue.object(texts.mapValues { JSONValue.array($0.map(\.json)) })
            }
            text.member("ambiguous", value: .object(ambiguous))
        }
        text.member("appDeadline", self.appDeadline?.milliseconds)
        if !self.asked.isEmpty { text.member("asked", value: .object(self.asked.mapValues(\.json))) }
        if !self.attempts.isEmpty {
            text.member("attempts", value: .object(self.attempts.mapValues { .integer(Int64($0)) }))
        }
        if !self.confirmed.isEmpty {
            let confirmed = self.confirmed.mapValues { values in
                JSONValue.object(Dictionary(uniqueKeysWithValues: values.map { (String($0.key), $0.value) }))
            }
            text.member("confirmed", value: .object(confirmed))
        }
        text.member("content", self.content)
        if !self.declined.isEmpty { text.member("declined", value: .object(self.declined.mapValues(\.json))) }
        // These calls use the concrete types; a generic function would look them up at run time.
        text.name("device")
        self.device.write(to: &text)
        if !self.displays.isEmpty { text.member("displays", value: .object(self.displays.mapValues(\.json))) }
        text.member("expiresAt", self.expiresAt?.milliseconds)
        text.member("follows", self.follows?.text)
        text.member("groupIdentifier", self.groupIdentifier)
        if !self.passedThrough.isEmpty {
            text.member("headers", value: .object(self.passedThrough.mapValues(JSONValue.string)))
        }
        if !self.history.isEmpty { text.member("history", String(self.history.map(\.rawValue))) }
        text.member("id", self.id.text)
        if !self.ignoredParameters.isEmpty {
            text.member("ignored", value: .array(self.ignoredParameters.map(JSONValue.string)))
        }
        text.name("intent")
        self.intent.write(to: &text)
        text.member("locale", self.locale)
        text.member("opening", self.opening)
        text.member("presentation", value: self.presentation?.json)
        if let prompt = self.prompt {
            text.name("prompt")
            prompt.write(to: &text)
        }
        if self.queuedFor > 0 { text.member("queued", self.queuedFor) }
        if !self.redrive.isEmpty {
            text.name("redrive")
            self.redrive.write(to: &text)
        }
        if !self.refused.isEmpty { text.member("refused", value: .object(self.refused)) }
        text.member("request", self.request.text)
        if self.round > 0 { text.member("round", Int64(self.round)) }
        text.member("setsAside", self.setsAside?.description)
        if !self.settled.isEmpty {
            text.name("settled")
            text.beginArray()
            for name in self.settled { text.string(name) }
            text.endArray()
        }
        text.member("shown", value: self.shown)
        text.member("startedAt", self.startedAt.milliseconds)
        text.member("timeZone", self.timeZone)
        text.member("turns", Int64(self.turns))
        if !self.understood.isEmpty {
            text.member("understood", value: .object(self.understood.mapValues { JSONValue.array($0.map(\.json)) }))
        }
        text.member("undoing", value: self.undoing?.json)
        text.name("user")
        self.user.write(to: &text)
        text.member("waiting", value: self.waiting?.json)
        if !self.mistakes.isEmpty {
            text.member("warned", Int64(self.namedMistakes))
            text.member("warnings", value: .array(self.mistakes.map(\.json)))
        }
        text.endObject()
    }

    /// Reads the form in state; nil when it is none.
    package init?(_ json: JSONView) { self.init(json, id: nil, userID: nil) }

    /// Reads the form on the topics between the stages; the event's names, where they are the same, are shared.
    init?(_ json: JSONView, id knownID: InteractionID?, userID: UserID?) {
        guard json.kind == .object else { return nil }
        // In the order of their names.
        var reader = JSONMemberReader(json)
        let isAccepted = reader.value("accepted")?.bool ?? false
        let again = reader.value("again")?.value.object
        let ambiguous = reader.value("ambiguous")?.value.object
        let appDeadline = reader.value("appDeadline")?.integer
        let asked = reader.value("asked")?.value.object
        let attempts = reader.value("attempts")?.value.object
        let confirmed = reader.value("confirmed")?.value.object
        let content = reader.value("content")?.string
        let declined = reader.value("declined")?.value.object
        guard let device = reader.value("device").map(RequestingDevice.init(state:)) else { return nil }
        let displays = reader.value("displays")?.value.object
        let expiresAt = reader.value("expiresAt")?.integer
        let follows = reader.value("follows")?.string
        let groupIdentifier = reader.value("groupIdentifier")?.string
        let headers = reader.value("headers")?.value.object
        let history = reader.value("history")?.string
        guard let id = reader.value("id")?.string(known: knownID?.text) else { return nil }
        let ignored = reader.value("ignored")?.value.array
        guard let intent = reader.value("intent").flatMap(IntentSnapshot.init(_:)),
            let locale = reader.value("locale")?.string
        else { return nil }
        let opening = reader.value("opening")?.string
        let presentation = reader.value("presentation")?.value
        let prompt = reader.value("prompt")
        let queued = reader.value("queued")?.integer
        let redrive = reader.value("redrive").flatMap(RedriveState.init(_:))
        let refused = reader.value("refused")?.value.object
        guard let request = reader.value("request")?.string else { return nil }
        let round = reader.value("round")
        let setsAside = reader.value("setsAside")?.string
        let settled = reader.value("settled")
        let shown = reader.value("shown")?.value
        guard let startedAt = reader.value("startedAt")?.integer else { return nil }
        let timeZone = reader.value("timeZone")?.string
        guard let turns = reader.value("turns")?.count else { return nil }
        let understood = reader.value("understood")?.value.object
        let undoing = reader.value("undoing")?.value
        guard let user = reader.value("user").flatMap({ RequestingUser(state: $0, known: userID?.text) })
        else { return nil }
        let waiting = reader.value("waiting")?.value
        let named = reader.value("warned")?.count
        let mistakes = reader.value("warnings")?.value.array
        self.init(
            id: InteractionID(id),
            request: RequestID(request),
            startedAt: Timestamp(milliseconds: startedAt),
            user: user,
            device: device,
            locale: locale,
            intent: intent
        )
        self.timeZone = timeZone
        if let understood {
            self.understood = understood.compactMapValues { $0.array?.compactMap(UnderstoodWords.init(json:)) }
        }
        for (parameter, texts) in ambiguous ?? [:] {
            self.ambiguous[parameter] = texts.object?
                .compactMapValues { $0.array?.compactMap(SpokenMeaning.init(json:)) }
        }
        self.queuedFor = queued ?? 0
        self.content = content
        self.follows = follows.map { InteractionID($0) }
        self.opening = opening
        self.setsAside = setsAside.flatMap { PromptID($0) }
        self.groupIdentifier = groupIdentifier
        self.presentation = presentation.flatMap(Presentation.init(json:))
        self.expiresAt = expiresAt.map(Timestamp.init(milliseconds:))
        if let ignored { self.ignoredParameters = ignored.compactMap(\.string) }
        if let headers { self.passedThrough = headers.compactMapValues(\.string) }
        self.turns = turns
        // An unreadable prompt must not count as none: it would never be answered, and never expire.
        if let history {
            self.history = history.compactMap(PastPrompt.init(rawValue:))
            guard self.history.count == history.count else { return nil }
        }
        if let settled {
            var names: [String] = []
            // Usually a few parameters are settled.
            names.reserveCapacity(4)
            for element in settled.elements { if let name = element.string { names.append(name) } }
            self.setSettled(names)
        }
        for (parameter, values) in confirmed ?? [:] {
            for (index, value) in values.object ?? [:] {
                if let index = Int(index) { self.confirmed[parameter, default: [:]][index] = value }
            }
        }
        if let redrive { self.redrive = redrive }
        if let displays { self.displays = displays.compactMapValues(DisplayRepresentation.init(json:)) }
        self.refused = refused ?? [:]
        if let round {
            // In a lower round its effects would be refused.
            guard let count = round.count else { return nil }
            self.round = count
        }
        // Without its question the parameter would be settled with the value that a later stage cannot use.
        if let asked {
            self.asked = asked.compactMapValues(BackQuestion.init(json:))
            guard self.asked.count == asked.count else { return nil }
        }
        if let declined { self.declined = declined.compactMapValues(DeclinedValues.init(json:)) }
        if let attempts { self.attempts = attempts.compactMapValues(\.count) }
        if let again { self.again = again.compactMapValues(AskedAgain.init(json:)) }
        if let prompt {
            self.prompt = Prompt(prompt)
            guard self.prompt != nil else { return nil }
        }
        self.shown = shown
        self.isAccepted = isAccepted
        self.appDeadline = appDeadline.map(Timestamp.init(milliseconds:))
        if let waiting {
            // An unreadable wait must not count as none: it would never end.
            self.waiting = HandleWait(json: waiting)
            guard self.waiting != nil else { return nil }
        }
        if let undoing {
            // Nor may what is left to undo: it would stay done.
            self.undoing = Undoing(json: undoing)
            guard self.undoing != nil else { return nil }
        }
        if let mistakes {
            self.mistakes = mistakes.compactMap { ClientMistake(json: $0) }
            self.namedMistakes = min(named ?? 0, self.mistakes.count)
        }
    }
}

extension RequestingUser: JSONWritable {
    /// Writes the form in state.
    package func write(to text: inout JSONText) {
        text.beginObject()
        if !self.isAuthenticated { text.member("authenticated", value: false) }
        if self.authorization != .authorized { text.member("authorization", self.authorization.rawValue) }
        if !self.hasContactsAccess { text.member("contactsAccess", value: false) }
        text.member("id", self.id)
        text.endObject()
    }

    init?(state json: JSONView, known: String?) {
        guard let id = json["id"]?.string(known: known) else { return nil }
        self.init(
            id: id,
            authorization: json["authorization"]?.string.flatMap(Authorization.init(rawValue:)) ?? .authorized,
            isAuthenticated: json["authenticated"]?.bool ?? true,
            hasContactsAccess: json["contactsAccess"]?.bool ?? true
        )
    }
}

extension RequestingDevice: JSONWritable {
    /// Writes the form in state.
    package func write(to text: inout JSONText) {
        text.beginObject()
        text.member("appVersion", self.appVersion)
        text.member("id", self.id)
        text.member("locked", value: self.isLocked.map(JSONValue.bool))
        text.endObject()
    }

    init(state json: JSONView) {
        self.init(id: json["id"]?.string, isLocked: json["locked"]?.bool, appVersion: json["appVersion"]?.string)
    }
}
