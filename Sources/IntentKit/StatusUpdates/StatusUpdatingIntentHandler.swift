/// A handler whose deed goes on after `handle` has reported success, such as a ride on its way (contract, section 2,
/// `status.updated`): SiriKit's `startSendingUpdates(for:to:)`, with the processor in place of the observer.
///
/// ```swift
/// IntentRegistration(version: "1", statusUpdates: StatusUpdates(every: .seconds(10), for: .hours(12))) {
///     RequestRideHandler()
/// }
/// ```
public protocol StatusUpdatingIntentHandler: IntentHandler {
    /// Says how things stand now, each time that ``StatusUpdates/every`` has passed.
    ///
    /// The user hears of it only when the response's details differ from what was last told. It reads and does not
    /// act: its interaction has ended, and so has its ledger.
    ///
    /// - Throws: An error that is a ``TransientError`` is tried again; any other ends the updates.
    func statusUpdate(
        for intent: HandledIntent,
        context: TurnContext
    ) async throws -> StatusUpdate<HandledIntent>
}

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
