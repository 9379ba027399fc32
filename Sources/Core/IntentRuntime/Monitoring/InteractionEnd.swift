/// How an interaction ended, for metrics.
struct InteractionEnd: Sendable {
    /// The intent's own code; nil if no handler gave one.
    var code: String?
    var reason: EndReason
    /// From the request's first turn to its end, in milliseconds.
    var duration: Int64
    var prompts: Int
}
