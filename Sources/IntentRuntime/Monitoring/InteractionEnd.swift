internal import IntentEvents

/// How an interaction ended, for whoever counts.
struct InteractionEnd: Sendable {
    /// The intent's own code; nil where no handler had a say.
    var code: String?
    /// Why it ended.
    var reason: EndReason
    /// From the request's first turn to its end, in milliseconds.
    var duration: Int64
    /// How often the user was asked.
    var prompts: Int
}
