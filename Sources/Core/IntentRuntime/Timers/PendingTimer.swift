package import IntentEvents
internal import IntentKit

/// A deadline of a state entry: when it is due, the owner writes `timer.fired` to itself (R13).
package struct PendingTimer: Hashable, Sendable {
    package var kind: TimerKind
    package var deadline: Timestamp
    /// The user whose entry it is.
    package var user: UserID
    /// The entry's name.
    package var name: StateName

    /// The deadlines of a state entry; none if it has another name, or cannot be read.
    static func timers(in entry: StateEntry, name: StateName, user: UserID) -> [PendingTimer] {
        if name == StateName.parked {
            return entry.form(ParkedTurn.self)?.timers(name: name, user: user) ?? []
        }
        if name.hasPrefix(StateName.interactions) {
            return entry.form(Interaction.self)?.timers(name: name, user: user) ?? []
        }
        if name.hasPrefix(StateName.followedInteractions) {
            return entry.form(FollowedInteraction.self)?.timers(name: name, user: user) ?? []
        }
        if name.hasPrefix(StateName.followUps) {
            return entry.form(ScheduledFollowUp.self)?.timers(name: name, user: user) ?? []
        }
        return []
    }

    fileprivate static func timers(
        _ deadlines: [(TimerKind, Timestamp?)],
        name: StateName,
        user: UserID
    ) -> [PendingTimer] {
        deadlines.compactMap { kind, deadline in
            deadline.map { PendingTimer(kind: kind, deadline: $0, user: user, name: name) }
        }
    }

    /// How much of an unreadable entry goes into its event, and so to dead letters, in bytes.
    private static let shownBytes = 64 * 1024

    /// The event that makes a stage give up an unreadable entry.
    func event(forUnreadable value: [UInt8], stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String) {
        let digest = RecordDigest.of(value)
        let data: JSONValue = [
            "deadline": .string(now.description),
            "digest": .string(digest),
            "entry": self.name.json,
            "user": ["id": self.user.json],
            "value": .string(String(decoding: value.prefix(Self.shownBytes), as: UTF8.self)),
            "what": .string(self.kind.rawValue),
        ]
        let draft = EventDraft(
            type: .timerFired,
            time: now,
            subject: nil,
            request: nil,
            userID: self.user,
            stage: stage,
            passedThrough: [:],
            data: { $0.value(data) }
        )
        return (draft, "\(self.name)|\(self.kind.rawValue)|\(digest)")
    }

    /// The event of a deadline of the parked turn; nil when the turn no longer has that deadline.
    func event(of parked: ParkedTurn, stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String)? {
        guard parked.timers(name: self.name, user: self.user).contains(self) else { return nil }
        return self.event(subject: parked.interactionID, request: nil, stage: stage, now: now) { data in
            data["attempt"] = .integer(Int64(parked.attempt))
            data["position"] = .string(parked.event.position.description)
        }
    }

    /// The event of a status check; nil when it is no longer due.
    func event(of followed: FollowedInteraction, stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String)?
    {
        guard followed.timers(name: self.name, user: self.user).contains(self) else { return nil }
        let interaction = followed.interaction
        return self.event(subject: interaction.id, request: interaction.request, stage: stage, now: now) { _ in }
    }

    /// The event of a follow-up's time; nil when it is no longer due then.
    func event(of followUp: ScheduledFollowUp, stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String)? {
        guard followUp.timers(name: self.name, user: self.user).contains(self) else { return nil }
        let request = followUp.origin.request
        return self.event(subject: followUp.follows, request: request, stage: stage, now: now) { data in
            data["entry"] = self.name.json
        }
    }

    /// The event of a deadline of an open interaction; nil when it no longer has that deadline.
    package func event(
        of interaction: Interaction,
        stage: Stage,
        now: Timestamp
    ) -> (draft: EventDraft, ordinal: String)? {
        guard interaction.timers(name: self.name, user: self.user).contains(self) else { return nil }
        return self.event(subject: interaction.id, request: interaction.request, stage: stage, now: now) { data in
            data["promptId"] = interaction.prompt?.id(interaction: interaction.id, stage: stage).json
        }
    }

    private func event(
        subject: InteractionID?,
        request: RequestID?,
        stage: Stage,
        now: Timestamp,
        _ add: (inout JSONObject) -> Void
    ) -> (draft: EventDraft, ordinal: String) {
        var data: JSONObject = [
            "deadline": .string(self.deadline.description),
            "user": ["id": self.user.json],
            "what": .string(self.kind.rawValue),
        ]
        add(&data)
        let draft = EventDraft(
            type: .timerFired,
            time: now,
            subject: subject,
            request: request,
            userID: self.user,
            stage: stage,
            passedThrough: [:],
            data: { $0.object(data) }
        )
        return (draft, "\(self.name)|\(self.kind.rawValue)|\(self.deadline.milliseconds)")
    }
}

extension Interaction {
    package func timers(name: StateName, user: UserID) -> [PendingTimer] {
        // Most interactions have none.
        guard self.prompt != nil || self.appDeadline != nil || self.waiting != nil || self.undoing != nil else {
            return []
        }
        return PendingTimer.timers(
            [
                (.prompt, self.prompt?.expiresAt), (.app, self.appDeadline), (.again, self.waiting?.at),
                (.undo, self.undoing?.dueAt), (.resume, self.waiting?.heldAt),
            ],
            name: name,
            user: user
        )
    }
}

extension FollowedInteraction {
    /// The time of its next status check.
    func timers(name: StateName, user: UserID) -> [PendingTimer] {
        PendingTimer.timers([(.status, self.dueAt)], name: name, user: user)
    }
}

extension ScheduledFollowUp {
    /// The time when it is due.
    func timers(name: StateName, user: UserID) -> [PendingTimer] {
        PendingTimer.timers([(.followUp, self.at)], name: name, user: user)
    }
}

extension ParkedTurn {
    func timers(name: StateName, user: UserID) -> [PendingTimer] {
        PendingTimer.timers(
            [(.retry, self.retryAt), (.inProgress, self.inProgressAt), (.timeout, self.timeoutAt)],
            name: name,
            user: user
        )
    }
}
