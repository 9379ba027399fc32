package import IntentEvents
package import IntentKit

/// A deadline of a state entry: when it comes, the owner writes `timer.fired` to itself (R13).
package struct PendingTimer: Hashable, Sendable {
    /// What it is about.
    package var kind: TimerKind
    /// When it fires.
    package var deadline: Timestamp
    /// The user whose entry it is.
    package var user: UserID
    /// The entry's name.
    package var name: StateName

    /// Whether state entries of that name have deadlines.
    package static func mayHave(_ name: StateName) -> Bool {
        name == StateName.parked || name.hasPrefix(StateName.interactions)
            || name.hasPrefix(StateName.followedInteractions)
    }

    /// The deadlines that a state entry has.
    package static func timers(of value: JSONValue, name: StateName, user: UserID) -> [PendingTimer] {
        func timer(_ kind: TimerKind, _ deadline: Timestamp?) -> PendingTimer? {
            deadline.map { PendingTimer(kind: kind, deadline: $0, user: user, name: name) }
        }
        if name == StateName.parked {
            return Self.timers(of: ParkedTurn(json: value), user: user)
        }
        if name.hasPrefix(StateName.followedInteractions) {
            return [timer(.status, value["dueAt"]?.integer.map(Timestamp.init(milliseconds:)))].compactMap { $0 }
        }
        guard name.hasPrefix(StateName.interactions) else { return [] }
        let prompt = value["prompt"]?["expiresAt"]?.integer.map(Timestamp.init(milliseconds:))
        let app = value["appDeadline"]?.integer.map(Timestamp.init(milliseconds:))
        return [timer(.prompt, prompt), timer(.app, app)].compactMap { $0 }
    }

    private static func timers(of parked: ParkedTurn?, user: UserID) -> [PendingTimer] {
        [(.retry, parked?.retryAt), (.inProgress, parked?.inProgressAt), (.timeout, parked?.timeoutAt)]
            .compactMap { kind, deadline in
                deadline.map { PendingTimer(kind: kind, deadline: $0, user: user, name: StateName.parked) }
            }
    }

    /// The deadlines that a state entry has, found without a tree of its values; none in what is no JSON.
    static func timers(
        in text: [UInt8],
        name: StateName,
        user: UserID,
        tape: inout JSONTape
    ) -> [PendingTimer] {
        guard name != StateName.parked else {
            return Self.timers(of: ParkedTurn(text: text), user: user)
        }
        return text.withUnsafeBufferPointer { bytes in
            guard tape.read(bytes, maximumDepth: JSONValue.defaultMaximumDepth) else { return [] }
            func timer(_ kind: TimerKind, _ node: Int?) -> PendingTimer? {
                tape.integer(node, in: bytes)
                    .map { PendingTimer(kind: kind, deadline: Timestamp(milliseconds: $0), user: user, name: name) }
            }
            func member(_ name: StaticString, of node: Int? = JSONTape.root) -> Int? {
                tape.member(name, of: node, in: bytes)
            }
            if name.hasPrefix(StateName.followedInteractions) {
                return [timer(.status, member("dueAt"))].compactMap { $0 }
            }
            guard name.hasPrefix(StateName.interactions) else { return [] }
            return [
                timer(.prompt, member("expiresAt", of: member("prompt"))), timer(.app, member("appDeadline")),
            ]
            .compactMap { $0 }
        }
    }

    /// How much of an entry that cannot be read goes into the event about it, and so to dead letters, in bytes.
    private static let shownBytes = 64 * 1024

    /// The event that has an entry given up that cannot be read.
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

    /// The event that says that the deadline has come; nil when the entry no longer has it.
    package func event(for value: JSONValue, stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String)? {
        guard Self.timers(of: value, name: self.name, user: self.user).contains(self) else { return nil }
        var data: JSONObject = [
            "deadline": .string(self.deadline.description),
            "user": ["id": self.user.json],
            "what": .string(self.kind.rawValue),
        ]
        var subject: InteractionID?
        var request: RequestID?
        if let parked = self.name == StateName.parked ? ParkedTurn(json: value) : nil {
            data["attempt"] = .integer(Int64(parked.attempt))
            data["position"] = .string(parked.event.position.description)
            subject = parked.interactionID
        } else if let followed = self.kind == .status ? FollowedInteraction(json: value) : nil {
            subject = followed.interaction.id
            request = followed.interaction.request
        } else if let interaction = Interaction(json: value) {
            data["promptId"] = interaction.prompt?.id(interaction: interaction.id, stage: stage).json
            subject = interaction.id
            request = interaction.request
        }
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
