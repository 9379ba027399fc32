/// The parts of a handling, by kind.
struct HandlingParts<HandledIntent: Intent>: Sendable {
    /// Makes a dry run, or performs the task.
    typealias Responding = @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>

    var resolvers: [Resolver<HandledIntent>] = []
    /// The dry runs; one at most.
    var confirms: [Responding] = []
    /// The parts that perform the task; exactly one.
    var handles: [Responding] = []
    /// How long performing the task may take; nil for the default.
    var handleTimeout: Duration?
    /// The parts that handle the app's report; one at most.
    var appResponses: [@Sendable (IntentResponse<HandledIntent>, HandledIntent, TurnContext) async throws -> Void] = []
    /// The parts that give news after the end; one at most.
    var updates: [StatusCheck<HandledIntent>] = []
    /// The parts that undo effects; one at most for an effect.
    var undos: [UndoPart<HandledIntent>] = []

    mutating func addHandle(_ body: @escaping Responding, timeout: Duration?) {
        self.handles.append(body)
        self.handleTimeout = timeout
    }
}

struct Resolver<HandledIntent: Intent>: Sendable {
    /// The property.
    let path: any PartialKeyPath<HandledIntent> & Sendable
    /// Calls the resolver, and erases its types.
    let body: @Sendable (Resolve<HandledIntent>.Question, TurnContext) async throws -> ParameterOutcome
}

/// How and how often the state of a task is checked.
struct StatusCheck<HandledIntent: Intent>: Sendable {
    /// How often to check, and for how long; nil for never.
    let updates: StatusUpdates?
    let body: @Sendable (HandledIntent, TurnContext) async throws -> StatusUpdate<HandledIntent>
}
