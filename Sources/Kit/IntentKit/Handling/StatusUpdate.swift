/// The state of a task after the terminal response.
public struct StatusUpdate<IntentType: Intent>: Sendable {
    public var response: IntentResponse<IntentType>
    public var isLast: Bool

    public init(_ response: IntentResponse<IntentType>, isLast: Bool = false) {
        self.response = response
        self.isLast = isLast
    }
}
