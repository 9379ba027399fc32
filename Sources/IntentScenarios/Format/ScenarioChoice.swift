/// What a user picks among options.
package enum ScenarioChoice: Hashable, Sendable {
    /// The option in that place, from 0.
    case index(Int)
    /// The option that is called this, without regard to case, accents and spacing.
    case text(String)
}
