/// The kind of a prompt (contract, section 2).
package enum PromptKind: String, Sendable, CaseIterable {
    case needsValue
    /// Asks which of several values is meant.
    case disambiguation
    /// Asks whether this value is meant.
    case confirmationRequired
    /// Asks for another value, since this one is refused.
    case unsupported
    case intentConfirmation
    case unlockRequired
    case authenticationRequired

    /// Whether an event from elsewhere, not an answer, lets the interaction continue.
    package var waitsForEvent: Bool { self == .unlockRequired || self == .authenticationRequired }
}
