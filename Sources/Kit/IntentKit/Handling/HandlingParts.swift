/// The parts of a handling, by kind.
struct HandlingParts<HandledIntent: Intent>: Sendable {
    /// Makes a dry run, or performs the task.
    typealias Responding = @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>

    var resolvers: [Resolver<HandledIntent>] = []
    /// The dry runs; one at most.
    var confirms: [Responding] = []
    /// The parts that perform the task; exactly one.
    var handles: [Responding] = []
    /// The parts that handle the app's report; one at most.
    var appResponses: [@Sendable (IntentResponse<HandledIntent>, HandledIntent, TurnContext) async throws -> Void] = []
    /// The parts that give news after the end; one at most.
    var updates: [StatusCheck<HandledIntent>] = []
}
