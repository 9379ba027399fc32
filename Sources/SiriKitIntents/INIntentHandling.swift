public import IntentKit

/// What SiriKit's protocols have in common: methods, by their names, where a handler of an intent of one's own has parts.
///
/// Each of them lists its resolving methods as ``resolvers``; the parts are made here.
public protocol INIntentHandling: IntentHandler {
    /// The methods that resolve parameters, each for the one in its name.
    var resolvers: [Resolve<HandledIntent>] { get }

    /// Checks that the intent could be handled now, without doing it (R28).
    func confirm(intent: HandledIntent, context: TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Does it, and reports what was done (R30).
    func handle(intent: HandledIntent, context: TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Takes note of what the app reported about what it was handed (R33).
    func appResponded(
        _ response: IntentResponse<HandledIntent>,
        to intent: HandledIntent,
        context: TurnContext
    ) async throws

    /// How often the user is told how things go on after the terminal response; nil where that is the last word.
    var statusUpdates: StatusUpdates? { get }

    /// Says how things stand after the terminal response.
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

    /// None: every value is taken as it is.
    public var resolvers: [Resolve<HandledIntent>] { [] }

    /// No checks: ready.
    public func confirm(
        intent: HandledIntent,
        context: TurnContext
    ) async throws -> IntentResponse<HandledIntent> {
        IntentResponse(code: .ready)
    }

    /// Nothing to note.
    public func appResponded(
        _ response: IntentResponse<HandledIntent>,
        to intent: HandledIntent,
        context: TurnContext
    ) async throws {}

    /// No updates.
    public var statusUpdates: StatusUpdates? { nil }

    /// Nothing to tell.
    public func statusUpdate(
        for intent: HandledIntent,
        context: TurnContext
    ) async throws -> StatusUpdate<HandledIntent> {
        StatusUpdate(IntentResponse(code: .failure), isLast: true)
    }
}
