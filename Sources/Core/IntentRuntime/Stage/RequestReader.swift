internal import IntentEvents
internal import IntentKit

/// Reads a request, and finds what is wrong with it.
struct RequestReader {
    /// The interaction that the request begins; parameters are as they came.
    private(set) var interaction: Interaction
    /// What is wrong with the request, naming the field (R9: `invalidRequest`).
    private(set) var problem: String?

    init(
        _ event: Event,
        stored: StoredRecord,
        identifiers: TurnIdentifiers,
        isRedriven: Bool,
        keys: RedriveState.KeyForm,
        namesMistakes: Bool,
        readsTimeZone: Bool,
        setsAside: ((PromptID) -> Bool)? = nil,
        countsQueue: Bool = false,
        startedAt: Timestamp
    ) {
        let position = stored.position
        self.interaction = Interaction(
            id: event.subject ?? InteractionID(identifiers.id(generation: 0, ordinal: "s")),
            request: "\(position.partition):\(position.offset)",
            startedAt: startedAt,
            user: RequestingUser(id: event.userID.text),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "")
        )
        self.interaction.passedThrough = event.passedThrough
        if countsQueue { self.interaction.queuedFor = ClientClock.wait(since: stored.timestamp, until: startedAt) }
        self.checkRedrive(isProved: isRedriven)
        let isFollowUp = self.checkOrigin(event, stored, identifiers.deployment, isRedriven: isRedriven)
        if !isRedriven {
            self.interaction.redrive.keys = keys
        } else if let state = event[Redrive.stateMember] {
            self.interaction.redrive = RedriveState(json: state) ?? RedriveState()
        }
        event.fields.withView { data in
            self.read(data)
            if readsTimeZone, let name = self.text("timeZone", data["timeZone"]) {
                self.interaction.timeZone = UserTimeZone.name(name)
            }
            if let setsAside { self.readAside(data["setsAside"], setsAside) }
            if isFollowUp { self.readFollowUp(data) }
            guard namesMistakes else { return }
            self.interaction.mistakes = InboundMembers.mistakes(
                in: data,
                stored.content,
                .intentRequested,
                eventID: event.id
            )
            if !isRedriven, data["redrive"] != nil {
                self.interaction.add([ClientMistake("redrive", .ignoredMember, eventID: event.id)])
            }
            if data["setsAside"] != nil, self.interaction.setsAside == nil {
                self.interaction.add([ClientMistake("setsAside", .ignoredMember, eventID: event.id)])
            }
            for name in isFollowUp ? [] : Self.membersOfFollowUps where data[name] != nil {
                self.interaction.add([ClientMistake("\(name)", .ignoredMember, eventID: event.id)])
            }
        }
    }

    private mutating func read(_ data: JSONView) {
        self.interaction.content = RequestContent.digest(of: data)
        self.interaction.intent.name = data["intent"]?["name"]?.string ?? ""
        self.readUser(data["user"])
        self.readDevice(data["device"])
        if let locale = self.text("locale", data["locale"]) { self.interaction.locale = locale }
        self.interaction.groupIdentifier = self.text("groupIdentifier", data["groupIdentifier"])
        if let expiresAt = self.text("expiresAt", data["expiresAt"]) {
            self.interaction.expiresAt = Timestamp(expiresAt)
            if self.interaction.expiresAt == nil {
                self.record("data.expiresAt is \(expiresAt); it is a point in time such as 2026-11-21T12:30:00Z")
            }
        }
        if let presentation = data["presentation"], !presentation.isNull {
            self.interaction.presentation = Presentation(json: presentation.value)
            if self.interaction.presentation == nil {
                self.record(
                    "data.presentation says where a view is shown: context is snippet or card, maximumSize has a width "
                        + "and a height of at most \(ViewSize.limit)"
                )
            }
        }
        switch data["intent"]?["parameters"]?.value {
        case nil, .null: break
        case .object(let parameters): self.interaction.intent.parameters = parameters
        case .some(let other):
            self.record("data.intent.parameters is \(other.kind); it is an object of values by parameter")
        }
    }

    /// A request shares another's effects only when `dead-letters redrive` sent it: a client's claim does not count.
    private mutating func checkRedrive(isProved: Bool) {
        guard self.interaction.passedThrough[EventHeaderName.redriveOf] != nil, !isProved else { return }
        self.interaction.passedThrough[EventHeaderName.redriveOf] = nil
        self.record("\(EventHeaderName.redriveOf) is set, which only `intentd dead-letters redrive` may do")
    }

    /// The members that only the requests of follow-ups have.
    private static let membersOfFollowUps: [StaticString] = ["dialog", "follows"]

    /// Whether resolve has written the request for a handler (R77); a claim of a client is dropped.
    private mutating func checkOrigin(
        _ event: Event,
        _ stored: StoredRecord,
        _ deployment: String,
        isRedriven: Bool
    ) -> Bool {
        guard let text = self.interaction.passedThrough[EventHeaderName.followsFrom] else { return false }
        if let origin = FollowUpOrigin(text), let id = event.subject,
            isRedriven
                || event.id
                    == origin.identifier(
                        deployment: deployment,
                        user: event.userID,
                        interaction: id,
                        value: stored.content.value ?? []
                    )
        {
            return true
        }
        self.interaction.passedThrough[EventHeaderName.followsFrom] = nil
        return false
    }

    /// Reads which prompt is set aside; another one than an open one of this user is ignored (R78).
    private mutating func readAside(_ value: JSONView?, _ isOpen: (PromptID) -> Bool) {
        guard let promptID = value?.string.flatMap({ PromptID($0) }), isOpen(promptID) else { return }
        self.interaction.setsAside = promptID
    }

    private mutating func readFollowUp(_ data: JSONView) {
        self.interaction.follows = data["follows"]?["interaction"]?.string.map { InteractionID($0) }
        self.interaction.opening = data["dialog"]?.string
    }

    private mutating func readUser(_ user: JSONView?) {
        if let text = self.text("user.authorization", user?["authorization"]) {
            if let authorization = RequestingUser.Authorization(rawValue: text) {
                self.interaction.user.authorization = authorization
            } else {
                let names = RequestingUser.Authorization.allCases.map(\.rawValue).joined(separator: ", ")
                self.record("data.user.authorization is \(text); it is one of \(names)")
            }
        }
        self.interaction.user.isAuthenticated = self.flag("user.authenticated", user?["authenticated"]) ?? true
        self.interaction.user.hasContactsAccess = self.flag("user.contactsAccess", user?["contactsAccess"]) ?? true
    }

    private mutating func readDevice(_ device: JSONView?) {
        self.interaction.device.id = self.text("device.id", device?["id"])
        self.interaction.device.isLocked = self.flag("device.locked", device?["locked"])
        self.interaction.device.appVersion = self.text("device.appVersion", device?["appVersion"])
    }

    private mutating func text(_ name: String, _ value: JSONView?) -> String? {
        guard let value, !value.isNull else { return nil }
        let text = value.string
        if text == nil { self.record("data.\(name) is \(value.value.kind); it is a string") }
        return text
    }

    private mutating func flag(_ name: String, _ value: JSONView?) -> Bool? {
        guard let value, !value.isNull else { return nil }
        if value.bool == nil { self.record("data.\(name) is \(value.value.kind); it is true or false") }
        return value.bool
    }

    private mutating func record(_ problem: String) {
        if self.problem == nil { self.problem = problem }
    }
}
