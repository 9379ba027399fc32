package import IntentKit

/// What a user says when asked whether it shall be done.
package struct ScenarioConfirmation: Hashable, Sendable {
    /// A yes or a no.
    package enum Action: String, Sendable, CaseIterable {
        /// Yes.
        case accept
        /// No; with corrections: not like this.
        case decline
    }

    /// A yes or a no.
    package var action: Action
    /// What is to be different.
    package var corrections: JSONObject

    /// Says yes or no.
    package init(_ action: Action, corrections: JSONObject = [:]) {
        self.action = action
        self.corrections = corrections
    }
}
