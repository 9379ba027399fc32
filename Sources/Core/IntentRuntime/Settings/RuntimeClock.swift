package import IntentEvents

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The clock of workers: wall clock for stored deadlines, and a way to wait.
package protocol RuntimeClock: Sendable {
    var now: Timestamp { get }
    /// A monotonic time, roughly the machine's uptime: for measuring, since the wall clock may be set.
    var uptime: Duration { get }
    /// Waits; returns early with `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

extension RuntimeClock {
    /// By the system's monotonic clock, which cannot be set.
    ///
    /// A turn reads it some ten times; `ContinuousClock` takes twice as long.
    package var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

/// The machine's own clock.
package struct SystemRuntimeClock: RuntimeClock {
    package init() {}

    /// The wall clock, in milliseconds.
    package var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Waits by the continuous clock.
    package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
