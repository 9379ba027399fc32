/// What a prompt asks (contract, section 2).
package enum PromptKind: String, Sendable, CaseIterable {
    /// For a value.
    case needsValue
    /// Which of several is meant.
    case disambiguation
    /// Whether this value is meant.
    case confirmationRequired
    /// For another value, since this one cannot be taken.
    case unsupported
    /// Whether it shall be done.
    case intentConfirmation
    /// To unlock the device.
    case unlockRequired
    /// To sign in.
    case authenticationRequired

    /// Whether an event from elsewhere, not an answer, lets the interaction go on.
    package var waitsForEvent: Bool { self == .unlockRequired || self == .authenticationRequired }
}
