/// The state of a task after the terminal response.
public struct StatusUpdate<IntentType: Intent>: Sendable {
    public var response: IntentResponse<IntentType>
    public var isLast: Bool

    public init(_ response: IntentResponse<IntentType>, isLast: Bool = false) {
        self.response = response
        self.isLast = isLast
    }
}

/// How often, and for how long, a user gets status updates after the terminal response.
public struct StatusUpdates: Hashable, Sendable {
    /// The time from one status check to the next; at least 100 ms.
    public var every: Duration
    /// The maximum time, whatever the handler says.
    public var duration: Duration

    /// Sets how often, and for how long.
    public init(every interval: Duration = .seconds(15), for duration: Duration = .seconds(12 * 3_600)) {
        self.every = max(interval, .milliseconds(100))
        self.duration = duration
    }
}
