/// Thrown by a host for an effect that is muted and has no recorded result: the handler gets a placeholder as its value
/// (R44).
package struct MutedEffectError: Error, Hashable, Sendable {
    /// The effect's name.
    package var name: String

    /// Makes an error for an effect.
    package init(name: String) { self.name = name }
}
