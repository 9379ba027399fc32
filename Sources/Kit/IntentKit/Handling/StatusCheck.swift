/// How and how often the state of a task is checked.
struct StatusCheck<HandledIntent: Intent>: Sendable {
    /// How often to check, and for how long; nil for never.
    let updates: StatusUpdates?
    let body: @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>
}
