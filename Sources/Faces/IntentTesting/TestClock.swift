public import Foundation
internal import IntentEvents
internal import IntentRuntime
internal import Synchronization

/// The clock of a ``TestDeployment``: it starts at the test's date, runs in real time, and can be advanced.
///
/// So a test need not wait until a prompt expires or a request is forgotten.
public final class TestClock: Sendable {
    /// 2026-01-05T09:00:00Z, a Monday.
    public static let usualBeginning = Date(timeIntervalSince1970: 1_767_603_600)

    private let shift: Mutex<Duration>

    public init(beginning: Date = TestClock.usualBeginning) {
        let beginning = Duration.milliseconds(Int64((beginning.timeIntervalSince1970 * 1_000).rounded()))
        self.shift = Mutex(beginning - .milliseconds(SystemRuntimeClock().now.milliseconds))
    }

    /// The present time, to the millisecond.
    public var now: Date { Date(timeIntervalSince1970: Double(self.timestamp.milliseconds) / 1_000) }

    /// Advances the time at once.
    public func advance(by duration: Duration) { self.shift.withLock { $0 += duration } }

    var timestamp: Timestamp { SystemRuntimeClock().now + self.shift.withLock(\.milliseconds) }
}

/// The same clock, as workers see it.
struct WorkerClock: RuntimeClock {
    let clock: TestClock

    var now: Timestamp { self.clock.timestamp }

    func sleep(for duration: Duration) async throws { try await SystemRuntimeClock().sleep(for: duration) }
}
