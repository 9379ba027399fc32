package import IntentKit

/// The user's answer to a request for confirmation.
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
    /// The values that are to be different.
    package var corrections: JSONObject

    /// Creates a yes or a no.
    package init(_ action: Action, corrections: JSONObject = [:]) {
        self.action = action
        self.corrections = corrections
    }
}
