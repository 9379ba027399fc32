/// What a host throws for an effect that is not to be made and has no recorded result: the handler gets a placeholder
/// for its value (R44).
package struct MutedEffectError: Error, Hashable, Sendable {
    /// The effect's name.
    package var name: String

    /// Names an effect.
    package init(name: String) { self.name = name }
}
