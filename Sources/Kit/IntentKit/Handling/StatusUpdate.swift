/// The state of a task after the terminal response.
public struct StatusUpdate<IntentType: Intent>: Sendable {
    /// The news.
    public var response: IntentResponse<IntentType>
    /// Whether this is the last update.
    public var isLast: Bool

    /// Makes an update.
    public init(_ response: IntentResponse<IntentType>, isLast: Bool = false) {
        self.response = response
        self.isLast = isLast
    }
}
