import IntentEvents
import IntentRuntime
import Synchronization

/// The machine's clock, some time later.
final class ShiftedClock: RuntimeClock {
    private let shift = Mutex(Duration.zero)

    var now: Timestamp { SystemRuntimeClock().now + self.shift.withLock(\.milliseconds) }

    var uptime: Duration { SystemRuntimeClock().uptime + self.shift.withLock(\.self) }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    func advance(by duration: Duration) { self.shift.withLock { $0 += duration } }
}
