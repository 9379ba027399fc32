package import IntentAudit
package import IntentKit

/// Masks sensitive values (R40), as all commands do.
package struct ConsoleMasking: Sendable {
    /// An event's data with everything sensitive masked.
    package var data: @Sendable (JSONValue) -> JSONValue
    /// Parameters of an intent with the sensitive ones masked.
    package var parameters: @Sendable (JSONValue, _ intent: String?) -> JSONValue
    /// A turn with everything that it read and wrote, masked, in the form of `audit show --json`.
    package var turn: @Sendable (TurnAccount) -> JSONValue
    /// The state at a turn, masked.
    package var state: @Sendable (StateThen, TurnAccount) -> JSONValue
    /// A value at a place such as `responses[0].intent.parameters.amount`.
    package var value: @Sendable (JSONValue, _ path: String) -> JSONValue
    /// Whether a parameter of an intent is sensitive.
    package var isSensitive: @Sendable (_ parameter: String, _ intent: String?) -> Bool

    /// Creates a masking from closures.
    package init(
        data: @escaping @Sendable (JSONValue) -> JSONValue,
        parameters: @escaping @Sendable (JSONValue, _ intent: String?) -> JSONValue,
        turn: @escaping @Sendable (TurnAccount) -> JSONValue,
        state: @escaping @Sendable (StateThen, TurnAccount) -> JSONValue,
        value: @escaping @Sendable (JSONValue, _ path: String) -> JSONValue,
        isSensitive: @escaping @Sendable (_ parameter: String, _ intent: String?) -> Bool
    ) {
        self.data = data
        self.parameters = parameters
        self.turn = turn
        self.state = state
        self.value = value
        self.isSensitive = isSensitive
    }
}
