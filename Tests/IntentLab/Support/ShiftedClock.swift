package import IntentEvents
internal import IntentRuntime
import Synchronization

/// The machine's clock, shifted into the future.
package final class ShiftedClock: RuntimeClock {
    private let shift = Mutex(Duration.zero)

    /// Creates a clock with the current time.
    package init() {}

    package var now: Timestamp { SystemRuntimeClock().now + self.shift.withLock(\.milliseconds) }

    package var uptime: Duration { SystemRuntimeClock().uptime + self.shift.withLock(\.self) }

    package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    /// Shifts the clock by that time.
    package func advance(by duration: Duration) { self.shift.withLock { $0 += duration } }
}
