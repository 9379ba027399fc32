/// One small piece of work on the way of an event, without a broker; `Benchmarks/` gives them to the framework.
public struct MicroBenchmark: Sendable {
    /// The work, once.
    public typealias Work = @Sendable () async throws -> Void

    /// What it is called in tables.
    public let name: String
    /// Whether one run takes long enough to be measured alone.
    public let isLong: Bool
    /// Makes what the work needs; not measured.
    public let prepare: @Sendable () async throws -> Work

    /// Names a piece of work.
    init(_ name: String, isLong: Bool = false, prepare: @escaping @Sendable () async throws -> Work) {
        self.name = name
        self.isLong = isLong
        self.prepare = prepare
    }

    /// Keeps the optimiser from leaving out what nobody looks at.
    @inline(never)
    static func consume<Value>(_ value: Value) {}
}
