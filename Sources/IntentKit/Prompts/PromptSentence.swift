/// What intentd says to a user at a prompt; the names are those of prompt files.
package enum PromptSentence: String, Sendable, CaseIterable {
    /// Asks for a parameter that is missing.
    case needsValue
    /// Asks for a parameter that has a title.
    case needsTitled
    /// Asks which of several is meant.
    case disambiguation
    /// Asks whether a value is meant.
    case confirmationRequired
    /// Asks for another value.
    case unsupported
    /// Asks whether it shall be done.
    case intentConfirmation
    /// Asks to unlock the device.
    case unlockRequired
    /// Asks to sign in.
    case authenticationRequired
    /// The word between the last two of several options.
    case or

    /// What its braces may name, besides the parameters of the intent that it is for.
    package var placeholders: Set<String> {
        switch self {
        case .needsValue, .needsTitled: ["parameter", "options", "title"]
        case .disambiguation: ["parameter", "options", "title"]
        case .confirmationRequired: ["parameter", "item", "title", "reason"]
        case .unsupported: ["parameter", "item", "options", "question", "title", "reason"]
        case .intentConfirmation: ["title"]
        case .unlockRequired, .authenticationRequired: ["title"]
        case .or: []
        }
    }

    /// The sentences that a parameter can have of its own.
    package static let ofParameters: [Self] = [.needsValue, .disambiguation, .confirmationRequired, .unsupported]
    /// The sentences that an intent can have of its own.
    package static let ofIntents: [Self] = [.intentConfirmation, .unlockRequired, .authenticationRequired]
}
