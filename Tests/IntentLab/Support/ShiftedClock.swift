package import IntentEvents
internal import IntentRuntime
import Synchronization

/// The machine's clock, some time later.
package final class ShiftedClock: RuntimeClock {
    private let shift = Mutex(Duration.zero)

    /// Begins with the present time.
    package init() {}

    package var now: Timestamp { SystemRuntimeClock().now + self.shift.withLock(\.milliseconds) }

    package var uptime: Duration { SystemRuntimeClock().uptime + self.shift.withLock(\.self) }

    package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    /// Lets that time pass.
    package func advance(by duration: Duration) { self.shift.withLock { $0 += duration } }
}
