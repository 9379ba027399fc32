/// The time at which the broker handles something, passed in from outside so that tests need no clock.
struct BrokerTime: Sendable, Hashable {
    /// Milliseconds that never decrease; every time-out is measured with them.
    var monotonic: Int64
    /// Milliseconds since 1970; every stored time uses them.
    var wall: Int64
}
