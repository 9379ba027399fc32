/// How things stand after the terminal response.
public struct StatusUpdate<IntentType: Intent>: Sendable {
    /// What there is to tell.
    public var response: IntentResponse<IntentType>
    /// Whether nothing more will come.
    public var isLast: Bool

    /// Makes an update.
    public init(_ response: IntentResponse<IntentType>, isLast: Bool = false) {
        self.response = response
        self.isLast = isLast
    }
}
