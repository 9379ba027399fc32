/// How a lane leaves its group.
package enum LaneDeparture: Sendable {
    /// It comes back under its name: the group keeps its partitions for it until the session time-out.
    case comesBack
    /// It goes for good: the group shares its partitions out at once.
    case forGood
}
