/// Several resolvers that are listed elsewhere, such as the methods of one of SiriKit's protocols.
package struct ResolveAll<HandledIntent: Intent>: HandlingPart {
    /// It is not the ``Handle`` part.
    package typealias Presence = WithoutHandle

    private let resolvers: [Resolve<HandledIntent>]

    /// Wraps the resolvers.
    package init(_ resolvers: [Resolve<HandledIntent>]) { self.resolvers = resolvers }

    /// Adds the parts to a handling.
    package func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) {
        draft.parts.resolvers += self.resolvers
    }
}
