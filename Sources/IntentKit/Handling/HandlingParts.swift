/// The parts of a handling, by kind.
struct HandlingParts<HandledIntent: Intent>: Sendable {
    /// Who resolves parameters.
    var resolvers: [Resolve<HandledIntent>] = []
    /// The dry runs; one at most.
    var confirms: [Confirm<HandledIntent>] = []
    /// The deed.
    var deeds: [Handle<HandledIntent>] = []
    /// Who takes note of what the app reports; one at most.
    var appResponses: [AppResponded<HandledIntent>] = []
    /// Who has news after the end; one at most.
    var updates: [UpdateStatus<HandledIntent>] = []
}
