/// Several resolvers that are listed elsewhere, such as the methods of one of SiriKit's protocols.
package final class ResolveAll<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    package init(_ resolvers: [Resolve<HandledIntent>]) {
        let all = resolvers.map(\.resolver)
        super.init { $0.resolvers += all }
    }
}
