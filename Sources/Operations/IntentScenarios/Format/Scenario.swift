package import IntentEvents
package import IntentKit

/// A conversation to be played: what a user asks for, how they answer, and what must result (contract, section 14).
///
/// ```json
/// {"name": "table for two", "user": "anna",
///  "intent": {"name": "BookTable", "parameters": {"city": "Milpitas"}},
///  "answers": {"time": "19:00"}, "volunteered": {"people": 2},
///  "choices": {"restaurant": "Olive Garden"},
///  "confirmations": [{"action": "decline", "corrections": {"time": "20:00"}}, {"action": "accept"}],
///  "expect": {"status": "success", "parameters": {"city": "Milpitas", "time": "20:00", "people": 2},
///             "prompts": ["needsValue:time", "intentConfirmation", "intentConfirmation"]}}
/// ```
/// Beside the members that the contract names, `groupIdentifier` and `expiresAt` go into the request as they are, and
/// `user` may be an object with the request's `authorization`, `authenticated` and `contactsAccess`.
package struct Scenario: Hashable, Sendable {
    /// The name; unique in its file.
    package var name: String
    package var userID: UserID
    /// The request's data on the user besides the id: `authorization`, `authenticated`, `contactsAccess`.
    package var userDetails: JSONObject = [:]
    /// The user's language, if the request states it.
    package var locale: String?
    /// The IANA name of the user's time zone, if the request states it.
    package var timeZone: String?
    /// The request's data on the device.
    package var device: JSONValue?
    /// Groups interactions that belong together.
    package var groupIdentifier: String?
    /// The request's `expiresAt`: when the user no longer cares.
    package var expiresAt: String?
    /// What the user first says.
    package var intent: IntentSnapshot
    /// What the user answers when asked for a parameter.
    package var answers: JSONObject = [:]
    /// What the user adds to the first answer.
    package var volunteered: JSONObject = [:]
    /// What the user picks when there is a choice, by parameter.
    package var choices: [String: ScenarioChoice] = [:]
    /// The user's answers to requests for confirmation, in order.
    package var confirmations: [ScenarioConfirmation] = []
    /// Events to send instead of answers by name; nil where none are given.
    package var steps: [ScenarioStep]?
    /// The service's answer: `success`, `failure`, or a text that your own handler interprets.
    package var service: String?
    package var expect = ScenarioExpectation()

    /// Creates a scenario in which the user says everything at once; other properties can be set afterwards.
    package init(name: String, userID: UserID, intent: IntentSnapshot) {
        self.name = name
        self.userID = userID
        self.intent = intent
    }

    package var requestData: JSONValue {
        var user = self.userDetails
        user["id"] = self.userID.json
        return .members([
            "intent": self.intent.json,
            "user": .object(user),
            "device": self.device,
            "locale": self.locale.map(JSONValue.string),
            "timeZone": self.timeZone.map(JSONValue.string),
            "groupIdentifier": self.groupIdentifier.map(JSONValue.string),
            "expiresAt": self.expiresAt.map(JSONValue.string),
        ])
    }
}

package enum ScenarioChoice: Hashable, Sendable {
    /// The option at that index, from 0.
    case index(Int)
    /// The option with this name, compared without regard to case, accents and spacing.
    case text(String)
}

/// The user's answer to a request for confirmation.
package struct ScenarioConfirmation: Hashable, Sendable {
    package enum Action: String, Sendable, CaseIterable {
        case accept
        /// No; with corrections: not like this.
        case decline
    }

    package var action: Action
    /// The values that are to be different.
    package var corrections: JSONObject

    package init(_ action: Action, corrections: JSONObject = [:]) {
        self.action = action
        self.corrections = corrections
    }
}
