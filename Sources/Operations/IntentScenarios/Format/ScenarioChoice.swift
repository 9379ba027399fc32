package enum ScenarioChoice: Hashable, Sendable {
    /// The option at that index, from 0.
    case index(Int)
    /// The option with this name, compared without regard to case, accents and spacing.
    case text(String)
}
