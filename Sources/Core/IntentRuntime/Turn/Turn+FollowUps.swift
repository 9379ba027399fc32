internal import IntentEvents
internal import IntentKit

/// What a handler sends with its response (R77): outputs of its turn, so that they are committed with it, or not at all.
extension Turn {
    /// Takes what the handler has asked for into the response that follows.
    func takeFollowUps() { self.followUps = self.host?.followUps ?? FollowUpList() }

    /// What the handler starts, as its response names it; nil if there is nothing.
    var started: JSONValue? {
        let started = self.followUps.elements.compactMap { element -> JSONValue? in
            let (followUp, id) = (element.followUp, element.id)
            let at = followUp.at.map { Timestamp(date: $0) }
            guard self.isScheduled(followUp, at: at) else { return nil }
            var intent: JSONValue?
            if case .intent(let snapshot) = followUp.content { intent = .string(snapshot.name) }
            return .members([
                "at": at.map { .string($0.description) },
                "intent": intent,
                "interaction": id.json,
                "name": .string(followUp.name),
                "user": followUp.user.map(JSONValue.string),
            ])
        }
        return started.isEmpty ? nil : .array(started)
    }

    /// The ids of what the handler starts, by which it can be cancelled.
    var startedIDs: [InteractionID] {
        self.followUps.elements
            .filter { self.isScheduled($0.followUp, at: $0.followUp.at.map { Timestamp(date: $0) }) }
            .map(\.id)
    }

    /// Whether a follow-up goes to resolve: a notification that is due is sent at once.
    private func isScheduled(_ followUp: FollowUp, at time: Timestamp?) -> Bool {
        if case .intent = followUp.content { return true }
        return time.map { $0 > self.now } ?? false
    }

    /// Sends what the handler has asked for.
    func sendFollowUps(of interaction: Interaction) {
        for element in self.followUps.elements {
            let scheduled = ScheduledFollowUp(element, of: interaction)
            guard self.isScheduled(element.followUp, at: scheduled.at) else {
                self.send(scheduled)
                continue
            }
            var data = scheduled.json
            data["user"] = ["id": .string(interaction.user.id)]
            // A worker that does not know follow-ups would ignore it.
            self.needFormat2()
            self.emit(.followUpScheduled, about: interaction, to: .signals, stage: .resolve, data: .object(data))
        }
        for id in self.followUps.cancelled { self.cancelStarted(id, by: interaction) }
    }

    /// Cancels what a handler of this user has started.
    func cancelStarted(_ id: InteractionID, by interaction: Interaction) {
        let user: JSONValue = ["user": ["id": .string(interaction.user.id)]]
        let draft = EventDraft(
            type: .interactionCancelled,
            time: self.now,
            subject: id,
            request: nil,
            userID: self.event.userID,
            stage: .resolve,
            passedThrough: [:],
            data: { $0.value(user) }
        )
        self.output(.event(.signals, draft))
    }

    /// Writes a follow-up to its user's home partition: the request of an intent, or a notification.
    func send(_ followUp: ScheduledFollowUp) {
        switch followUp.content {
        case .intent(let intent): self.request(intent, followUp)
        case .notification(let details): self.notify(details, followUp)
        }
    }

    private func notify(_ details: JSONObject, _ followUp: ScheduledFollowUp) {
        let user = followUp.user ?? self.event.userID
        let data = JSONValue.members([
            "at": followUp.at.map { .string($0.description) },
            "details": .object(details),
            "dialog": .string(followUp.dialog ?? ""),
            "name": .string(followUp.origin.name),
            "user": ["id": user.json],
        ])
        // Another user learns nothing of the interaction.
        let isForAnother = followUp.user != nil
        let draft = EventDraft(
            type: .userNotified,
            time: self.now,
            subject: isForAnother ? nil : followUp.follows,
            request: isForAnother ? nil : followUp.origin.request,
            userID: user,
            stage: nil,
            passedThrough: isForAnother ? [:] : followUp.headers,
            data: { $0.value(data) }
        )
        guard isForAnother else {
            self.output(.event(.responses, draft))
            return
        }
        self.output(.addressed(.responses, draft, partition: self.home(of: user), id: nil))
    }

    private func request(_ intent: IntentSnapshot, _ followUp: ScheduledFollowUp) {
        let user = followUp.user ?? self.event.userID
        var headers = followUp.headers
        headers[EventHeaderName.followsFrom] = followUp.origin.text
        let data = followUp.request(of: user, intent)
        let draft = EventDraft(
            type: .intentRequested,
            time: self.now,
            subject: followUp.id,
            request: nil,
            userID: user,
            stage: nil,
            passedThrough: headers,
            data: { $0.value(data) }
        )
        let id = followUp.origin.identifier(
            deployment: self.environment.deployment,
            user: user,
            interaction: followUp.id,
            value: draft.value
        )
        self.output(.addressed(.requests, draft, partition: self.home(of: user), id: id))
    }

    private func home(of user: UserID) -> Int { HomePartition.of(user: user, count: self.environment.partitions) }

    /// Tells the user of the interaction that a follow-up is not sent.
    func report(_ state: FollowUpState, of followUp: ScheduledFollowUp) {
        let data: JSONValue = [
            "intent": IntentSnapshot(name: followUp.followedIntent).json,
            "response": [:],
            "started": [
                [
                    "interaction": followUp.id.json, "name": .string(followUp.origin.name),
                    "state": .string(state.rawValue),
                ]
            ],
            "user": ["id": self.event.userID.json],
        ]
        let draft = EventDraft(
            type: .statusUpdated,
            time: self.now,
            subject: followUp.follows,
            request: followUp.origin.request,
            userID: self.event.userID,
            stage: nil,
            passedThrough: followUp.headers,
            data: { $0.value(data) }
        )
        self.output(.event(.responses, draft))
    }
}

/// Why a follow-up is not sent.
package enum FollowUpState: String, Sendable, CaseIterable {
    case cancelled
    /// Too many of the user's follow-ups wait already.
    case refused
}
