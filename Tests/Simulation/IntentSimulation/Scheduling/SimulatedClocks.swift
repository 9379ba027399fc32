internal import IntentEvents
internal import IntentRuntime

/// The true time, for the log and for measurements.
struct SimulatedClock: Clock {
    /// A point of the simulation's time, counted from its beginning.
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Self { Self(offset: self.offset + duration) }

        func duration(to other: Self) -> Duration { other.offset - self.offset }

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
    }

    let scheduler: Scheduler

    var now: Instant { Instant(offset: .microseconds(self.scheduler.now)) }
    var minimumResolution: Duration { .microseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await self.scheduler.sleep(for: self.now.duration(to: deadline))
    }
}

/// The clock of one process: its wall clock may be wrong, and may be set while it runs.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class ProcessClock: RuntimeClock, @unchecked Sendable {
    /// 2026-11-21T12:00:00Z.
    static let beginning: Int64 = 1_795_262_400_000

    private let scheduler: Scheduler
    private let process: SimulatedProcess

    /// Creates the clock of a process.
    init(_ scheduler: Scheduler, _ process: SimulatedProcess) {
        self.scheduler = scheduler
        self.process = process
    }

    var now: Timestamp {
        Timestamp(milliseconds: Self.beginning + self.scheduler.now / 1_000 + self.process.clockError)
    }

    var uptime: Duration { .microseconds(self.scheduler.now) }

    func sleep(for duration: Duration) async throws { try await self.scheduler.sleep(for: duration) }
}
