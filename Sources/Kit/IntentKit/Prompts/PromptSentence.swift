/// The sentences that intentd says by itself, at a prompt or about a task; the names are those of prompt files.
package enum PromptSentence: String, Sendable, CaseIterable {
    /// Asks for a missing parameter.
    case needsValue
    /// Asks for a parameter that has a title.
    case needsTitled
    /// Asks which of several values is meant.
    case disambiguation
    /// Asks whether a value is meant.
    case confirmationRequired
    /// Asks for another value.
    case unsupported
    /// Asks whether to do the task.
    case intentConfirmation
    case unlockRequired
    case authenticationRequired
    /// Says that the task did not succeed yet, and is tried again later.
    case retrying
    /// Says that the task was tried again in vain.
    case gaveUp
    /// Says that what was done is being undone.
    case undoing
    /// Says that what was done has been undone.
    case undone
    /// Says that not everything that was done could be undone.
    case undoFailed
    /// Says that it is not known yet whether the task succeeded.
    case checking
    /// Says that operators have paused the task, and that it continues later.
    case paused
    /// Says that nobody could find out whether the task succeeded.
    case undecided
    /// The word between the last two of several options.
    case or

    /// The placeholders that it may have, besides the parameters of the intent that it is for.
    package var placeholders: Set<String> {
        switch self {
        case .needsValue, .needsTitled: ["parameter", "options", "title"]
        case .disambiguation: ["parameter", "options", "title"]
        case .confirmationRequired: ["parameter", "item", "title", "reason"]
        case .unsupported: ["parameter", "item", "options", "question", "title", "reason"]
        case .intentConfirmation: ["title"]
        case .unlockRequired, .authenticationRequired, .retrying, .gaveUp, .undoing, .undone, .undoFailed, .checking,
            .undecided, .paused:
            ["title"]
        case .or: []
        }
    }

    /// The sentences that a parameter can override.
    package static let ofParameters: [Self] = [.needsValue, .disambiguation, .confirmationRequired, .unsupported]
    /// The sentences that an intent can override.
    package static let ofIntents: [Self] = [
        .intentConfirmation, .unlockRequired, .authenticationRequired, .retrying, .gaveUp, .undoing, .undone,
        .undoFailed, .checking, .undecided, .paused,
    ]
}
