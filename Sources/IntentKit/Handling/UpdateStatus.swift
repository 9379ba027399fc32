/// Says how things stand after ``Handle`` has reported success, such as where a ride is (contract, section 2,
/// `status.updated`): SiriKit's `startSendingUpdates(for:to:)`, with the processor in place of the observer.
///
/// ```swift
/// UpdateStatus(every: .seconds(10), for: .seconds(12 * 3_600)) { intent, context in
///     let place = try await context.read("place") { store in … }
///     return StatusUpdate(IntentResponse(code: .success, details: ["place": .string(place)]))
/// }
/// ```
/// Each look is a turn of its own. The user hears of it only when the response's details differ from what was last told.
/// It reads and does not act: its interaction has ended, and so has its ledger. An error that is a ``TransientError`` is
/// tried again; any other ends the updates.
public struct UpdateStatus<HandledIntent: Intent>: HandlingPart {
    /// It is not the deed.
    public typealias Deed = WithoutHandle

    /// How often to look, and for how long; nil for never.
    let updates: StatusUpdates?
    /// Looks.
    let body: @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>

    /// Says how often to look, for how long, and what at.
    ///
    /// - Parameters:
    ///   - interval: The time from one look to the next; at least 100 ms.
    ///   - duration: How long to look at most.
    ///   - body: Looks.
    public init(
        every interval: Duration = .seconds(15),
        for duration: Duration = .seconds(12 * 3_600),
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>
    ) {
        self.init(StatusUpdates(every: interval, for: duration), body)
    }

    /// Says how often to look, if at all.
    package init(
        _ updates: StatusUpdates?,
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>
    ) {
        self.updates = updates
        self.body = body
    }

    /// The part among others.
    public func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) { draft.parts.updates.append(self) }
}
