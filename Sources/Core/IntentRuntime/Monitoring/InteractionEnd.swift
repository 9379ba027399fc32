/// How an interaction ended, for metrics.
struct InteractionEnd: Sendable {
    /// The intent's own code; nil if no handler gave one.
    var code: String?
    var reason: EndReason
    /// From the writing of the request to the end, in milliseconds.
    var duration: Int64
    var prompts: Int
}
