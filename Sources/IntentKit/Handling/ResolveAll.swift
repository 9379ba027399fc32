/// Several resolvers that were listed elsewhere, such as the methods of one of SiriKit's protocols.
package struct ResolveAll<HandledIntent: Intent>: HandlingPart {
    /// It is not the deed.
    package typealias Deed = WithoutHandle

    private let resolvers: [Resolve<HandledIntent>]

    /// Takes the resolvers.
    package init(_ resolvers: [Resolve<HandledIntent>]) { self.resolvers = resolvers }

    /// The parts among others.
    package func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) {
        draft.parts.resolvers += self.resolvers
    }
}
