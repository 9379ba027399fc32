/// Reports the state of a task after ``Handle`` has reported success, such as where a ride is (contract, section 2,
/// `status.updated`).
///
/// It corresponds to SiriKit's `startSendingUpdates(for:to:)`, with the processor in place of the observer.
///
/// ```swift
/// UpdateStatus(every: .seconds(10), for: .seconds(12 * 3_600)) { intent, context in
///     let count = try await context.read("count") { try $0.query("SELECT count(*) FROM sets", as: Int.self)[0] }
///     return StatusUpdate(IntentResponse(code: .success, details: ["setsSoFar": .integer(Int64(count))]))
/// }
/// ```
/// Each status check is a turn of its own. The user is notified only when the response's details differ from the last
/// update. The check can read but not act: its interaction has ended, and so its ledger is closed. A ``TransientError``
/// is retried; any other error ends the updates.
public final class UpdateStatus<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    /// Makes the part.
    ///
    /// - Parameters:
    ///   - interval: The time from one status check to the next; at least 100 ms.
    ///   - duration: The maximum time for checks.
    ///   - body: Checks the status.
    public convenience init(
        every interval: Duration = .seconds(15),
        for duration: Duration = .seconds(12 * 3_600),
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>
    ) {
        self.init(StatusUpdates(every: interval, for: duration), body)
    }

    /// Makes the part, with or without checks.
    package init(
        _ updates: StatusUpdates?,
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>
    ) {
        super.init { $0.updates.append(StatusCheck(updates: updates, body: body)) }
    }
}
