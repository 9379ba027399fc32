package import IntentEvents

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The time as workers see it: wall clock for deadlines that are written down, and a way to wait.
package protocol RuntimeClock: Sendable {
    /// The present time.
    var now: Timestamp { get }
    /// Waits; returns early with `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The machine's own clock.
package struct SystemRuntimeClock: RuntimeClock {
    /// The machine's own clock.
    package init() {}

    /// The wall clock, in milliseconds.
    package var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Waits by the continuous clock.
    package func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}
