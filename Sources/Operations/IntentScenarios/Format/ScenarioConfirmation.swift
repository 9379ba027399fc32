package import IntentKit

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
