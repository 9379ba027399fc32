/// The parts of a handling, by kind.
struct HandlingParts<HandledIntent: Intent>: Sendable {
    /// The resolvers of parameters.
    var resolvers: [Resolve<HandledIntent>] = []
    /// The dry runs; one at most.
    var confirms: [Confirm<HandledIntent>] = []
    /// The parts that perform the task; exactly one.
    var handles: [Handle<HandledIntent>] = []
    /// The parts that handle the app's report; one at most.
    var appResponses: [AppResponded<HandledIntent>] = []
    /// The parts that give news after the end; one at most.
    var updates: [UpdateStatus<HandledIntent>] = []
}
