package import IntentEvents
package import IntentKit

/// Until when an interaction waits in `handle` for its next try or for an operator, outside of the parked turn (R76).
package struct HandleWait: Hashable, Sendable {
    /// What it waits for.
    package enum Reason: String, Sendable {
        /// The next try after an error.
        case retry
        /// The next try after a time limit: it looks up the outcome of a post.
        case lookup
        /// An operator, who decides the outcome of a post.
        case `operator`
        /// The end of a pause (R82).
        case paused
    }

    package var reason = Reason.retry
    /// When it ends.
    package var at: Timestamp
    /// How many tries there were.
    package var attempts: Int
    /// When the first one began.
    package var firstTriedAt: Timestamp
    /// The event with which the interaction came to `handle`: the ids and random numbers of all tries follow from it (R7).
    package var position: RecordPosition
    /// When it began to wait for the end of a pause; nil where it waits for something else.
    package var heldAt: Timestamp?
    /// The pause that held it then.
    package var pause: Pause?
    /// When it was held last, once its pause has ended; not kept in state.
    var lastHeldAt: Timestamp?
    /// The steps that are committed (R74).
    package var steps: [CommittedStep] = []

    package init(
        _ reason: Reason = .retry,
        at: Timestamp,
        attempts: Int,
        firstTriedAt: Timestamp,
        position: RecordPosition
    ) {
        self.reason = reason
        self.at = at
        self.attempts = attempts
        self.firstTriedAt = firstTriedAt
        self.position = position
    }

    /// Whether the outcome is unknown: the user has a response that says that it is being checked.
    package var isCheck: Bool { self.reason == .lookup || self.reason == .operator }

    /// Whether the user has a response that says that it is paused.
    var wasHeld: Bool { self.lastHeldAt != nil }

    /// When the first try began; nil where it is not the handler's service that is waited for.
    var firstAttempt: Timestamp? {
        switch self.reason {
        case .retry, .lookup: self.firstTriedAt
        case .operator, .paused: nil
        }
    }

    /// The wait after its pause: the time of the pause does not count for the policy.
    func afterPause(at now: Timestamp) -> HandleWait {
        guard let heldAt else { return self }
        var wait = self
        wait.reason = .retry
        wait.firstTriedAt = self.firstTriedAt + max(0, now - heldAt)
        (wait.heldAt, wait.pause) = (nil, nil)
        wait.lastHeldAt = heldAt
        return wait
    }

    /// Forgets a mark, since what it is about was not done: it may be posted once more.
    ///
    /// - Parameter mark: The step's name.
    package mutating func clear(_ mark: String) {
        let clearance = IntentRegistration.clearance(of: mark)
        self.steps.removeAll { [mark, clearance].contains($0.name) }
        self.steps.append(CommittedStep(name: clearance, ordinal: 0, value: true))
    }

    /// The form in state.
    package var json: JSONValue {
        .members([
            "at": .integer(self.at.milliseconds), "attempts": .integer(Int64(self.attempts)),
            "firstTriedAt": .integer(self.firstTriedAt.milliseconds),
            "heldAt": self.heldAt.map { .integer($0.milliseconds) },
            "pause": self.pause?.json,
            "position": .string(self.position.description),
            "reason": self.reason == .retry ? nil : .string(self.reason.rawValue),
            "steps": self.steps.isEmpty ? nil : .array(self.steps.map(\.json)),
        ])
    }

    package init?(json: JSONValue) {
        guard let at = json["at"]?.integer, let attempts = json["attempts"]?.integer.flatMap({ Int(exactly: $0) }),
            let firstTriedAt = json["firstTriedAt"]?.integer,
            let position = json["position"]?.string.flatMap({ RecordPosition($0) }),
            let reason = Reason(rawValue: json["reason"].map { $0.string ?? "" } ?? Reason.retry.rawValue)
        else { return nil }
        self.init(
            reason,
            at: Timestamp(milliseconds: at),
            attempts: attempts,
            firstTriedAt: Timestamp(milliseconds: firstTriedAt),
            position: position
        )
        self.heldAt = json["heldAt"]?.integer.map(Timestamp.init(milliseconds:))
        self.pause = json["pause"].flatMap(Pause.init(json:))
        guard (reason == .paused) == (self.heldAt != nil && self.pause != nil) else { return nil }
        for step in json["steps"]?.array ?? [] {
            // Without one of them the handler would do it again.
            guard let step = CommittedStep(json: step) else { return nil }
            self.steps.append(step)
        }
    }
}
