/// One small piece of work on the path of an event, without a broker; `Benchmarks/` registers it with the framework.
public struct MicroBenchmark: Sendable {
    /// The work, once.
    public typealias Work = @Sendable () async throws -> Void

    /// Its name in tables.
    public let name: String
    /// Whether one run takes long enough to be measured alone.
    public let isLong: Bool
    /// Creates what the work needs; not measured.
    public let prepare: @Sendable () async throws -> Work

    /// Creates a micro-benchmark.
    init(_ name: String, isLong: Bool = false, prepare: @escaping @Sendable () async throws -> Work) {
        self.name = name
        self.isLong = isLong
        self.prepare = prepare
    }

    /// Keeps the optimiser from removing unused results.
    @inline(never)
    static func consume<Value>(_ value: Value) {}
}
