/// The id of a lane or reader of a log, counted from the first.
struct ClientID: Hashable, Comparable, Sendable {
    var number: Int

    /// Orders by age.
    static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.number < rhs.number
    }
}
