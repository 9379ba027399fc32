public import IntentKit

/// What SiriKit's protocols have in common: named methods, where handlers of other intents have parts.
///
/// Each protocol lists its resolving methods as ``resolvers``; this protocol makes the parts.
public protocol INIntentHandling: IntentHandler {
    /// The methods that resolve parameters, each for the one in its name.
    var resolvers: [Resolve<HandledIntent>] { get }

    /// Checks that the intent could be handled now, without doing it (R28).
    func confirm(intent: HandledIntent, context: TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Performs the task, and reports what was done (R30).
    func handle(intent: HandledIntent, context: TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Handles the app's report about what was handed to it (R33).
    func appResponded(
        _ response: IntentResponse<HandledIntent>,
        to intent: HandledIntent,
        context: TurnContext
    ) async throws

    /// How often the user gets status updates after the terminal response; nil for none.
    var statusUpdates: StatusUpdates? { get }

    /// Reports the status after the terminal response.
    func statusUpdate(for intent: HandledIntent, context: TurnContext) async throws -> StatusUpdate<HandledIntent>
}

extension INIntentHandling {
    /// The methods as parts.
    @HandlingBuilder<HandledIntent> public var handling: Handling<HandledIntent> {
        ResolveAll(self.resolvers)
        Confirm(self.confirm)
        Handle(self.handle)
        AppResponded { try await self.appResponded($0, to: $1, context: $2) }
        UpdateStatus(self.statusUpdates, self.statusUpdate)
    }

    /// By default, there are none: every value is used as it is.
    public var resolvers: [Resolve<HandledIntent>] { [] }

    /// By default, answers ready.
    public func confirm(
        intent: HandledIntent,
        context: TurnContext
    ) async throws -> IntentResponse<HandledIntent> {
        IntentResponse(code: .ready)
    }

    /// By default, does nothing.
    public func appResponded(
        _ response: IntentResponse<HandledIntent>,
        to intent: HandledIntent,
        context: TurnContext
    ) async throws {}

    /// By default, there are no updates.
    public var statusUpdates: StatusUpdates? { nil }

    /// By default, there is no news.
    public func statusUpdate(
        for intent: HandledIntent,
        context: TurnContext
    ) async throws -> StatusUpdate<HandledIntent> {
        StatusUpdate(IntentResponse(code: .failure), isLast: true)
    }
}
