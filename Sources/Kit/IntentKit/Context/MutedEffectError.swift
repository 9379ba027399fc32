/// Thrown by a host for an effect that is muted and has no recorded result: the handler gets a placeholder as its value
/// (R44).
package struct MutedEffectError: Error, Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
}
