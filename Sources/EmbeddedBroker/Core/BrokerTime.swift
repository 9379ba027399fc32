/// The moment at which the broker handles something, given from outside so that tests need no clock.
struct BrokerTime: Sendable, Hashable {
    /// Milliseconds that only ever grow; every time-out is measured with them.
    var monotonic: Int64
    /// Milliseconds since 1970; every stored time is one of them.
    var wall: Int64
}
