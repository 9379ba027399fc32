/// The kind of a prompt (contract, section 2).
package enum PromptKind: String, Sendable, CaseIterable {
    /// Asks for a value.
    case needsValue
    /// Asks which of several values is meant.
    case disambiguation
    /// Asks whether this value is meant.
    case confirmationRequired
    /// Asks for another value, since this one is refused.
    case unsupported
    /// Asks to confirm the intent.
    case intentConfirmation
    /// Asks to unlock the device.
    case unlockRequired
    /// Asks to sign in.
    case authenticationRequired

    /// Whether an event from elsewhere, not an answer, lets the interaction continue.
    package var waitsForEvent: Bool { self == .unlockRequired || self == .authenticationRequired }
}
