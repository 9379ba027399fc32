package import IntentEvents
package import IntentKit

/// An operator's decision about a post whose outcome is unknown (R76).
package struct OperatorDecision: Hashable, Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        /// It was done.
        case done
        /// It was not done, and is posted once more.
        case notDone
        /// It was not done, and is given up.
        case failed
    }

    package var outcome: Outcome
    /// The interaction's request.
    package var request: RequestID
    /// The attempts of the wait that it ends: it ends no later one.
    package var attempts: Int
    /// The code with which the interaction ends; nil when it is posted once more.
    package var code: String?
    /// The details that the user sees.
    package var details: JSONObject = [:]
    /// The words for the user; nil for none.
    package var dialog: String?

    package init(_ outcome: Outcome, request: RequestID, attempts: Int, code: String? = nil) {
        self.outcome = outcome
        self.request = request
        self.attempts = attempts
        self.code = code
    }

    /// Whether an interaction may end with a code after a decision.
    package static func fits(_ code: String, _ outcome: Outcome) -> Bool {
        switch INIntentHandlingStatus(code: code) {
        case .success, .deferredToApplication: outcome == .done
        case .failure: outcome == .failed
        case .unspecified, .ready, .inProgress, .userConfirmationRequired: false
        }
    }

    /// Reads the data of an event; nil when they are no decision.
    init?(data: JSONValue) {
        guard let outcome = data["decision"]?.string.flatMap(Outcome.init(rawValue:)),
            let request = data["request"]?.string,
            let attempts = data["attempts"]?.integer.flatMap({ Int(exactly: $0) })
        else { return nil }
        self.init(outcome, request: RequestID(request), attempts: attempts, code: data["code"]?.string)
        self.details = data["details"]?.object ?? [:]
        self.dialog = data["dialog"]?.string
    }

    /// The event that carries it to the stages.
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - user: Its user.
    ///   - key: Proves to the workers who sent it.
    ///   - now: The time.
    /// - Returns: The event.
    package func event(about interaction: InteractionID, of user: UserID, key: RedriveKey, now: Timestamp) -> Event {
        let data = JSONValue.members([
            "attempts": .integer(Int64(self.attempts)),
            "code": self.code.map(JSONValue.string),
            "decision": .string(self.outcome.rawValue),
            "details": self.details.isEmpty ? nil : .object(self.details),
            "dialog": self.dialog.map(JSONValue.string),
            "request": self.request.json,
            "user": ["id": user.json],
        ])
        return Event(
            id: key.identifier(ofDecision: data, about: interaction, user: user),
            source: "/intentd/operators",
            type: .operatorDecided,
            time: now,
            subject: interaction,
            userID: user,
            data: data
        )
    }
}
