struct Resolver<HandledIntent: Intent>: Sendable {
    /// The property.
    let path: any PartialKeyPath<HandledIntent> & Sendable
    /// Calls the resolver, and erases its types.
    let body: @Sendable (Resolve<HandledIntent>.Question, TurnContext) async throws -> ParameterOutcome
}
