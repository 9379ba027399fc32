package import Telemetry

/// Decides which traces are recorded, of those that begin here (R66).
package struct TraceSampler: Hashable, Sendable {
    /// The share, of 2 to the 63rd.
    private let bound: UInt64

    /// Records this share of the traces, from 0 to 1.
    package init(share: Double) { self.bound = UInt64(min(max(share, 0), 1) * 0x1p63) }

    /// Whether a trace is recorded: a function of its id, so that every process decides alike.
    package func takes(_ trace: TraceID) -> Bool { trace.low >> 1 < self.bound }
}
