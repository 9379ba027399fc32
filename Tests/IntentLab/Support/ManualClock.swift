package import IntentEvents
internal import IntentRuntime
import Synchronization

extension Timestamp: InstantProtocol {
    package func advanced(by duration: Duration) -> Timestamp { self + duration.milliseconds }
    package func duration(to other: Timestamp) -> Duration { .milliseconds(other - self) }
}

/// A clock that only the test advances, for workers and for the log in memory.
package final class ManualClock: Clock, RuntimeClock {
    /// What happens when a task sleeps.
    package enum Sleep: Sendable {
        /// The sleep ends when the test has advanced the clock far enough.
        case untilAdvanced
        /// The sleep ends at once, and advances the clock by its duration.
        case advancing
    }

    private struct State {
        var uptime = Duration.zero
        var onNow: (@Sendable () -> Void)?
        var sleepers: [Int: (deadline: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var next = 0
    }

    private let start: Timestamp
    private let sleeps: Sleep
    private let step: Duration
    private let state = Mutex(State())

    /// Creates a clock whose uptime is zero.
    ///
    /// - Parameters:
    ///   - start: Its time now.
    ///   - sleeps: What happens when a task sleeps.
    ///   - step: How far each look at the uptime advances it.
    package init(
        at start: Timestamp = Timestamp(milliseconds: 0),
        sleeps: Sleep = .untilAdvanced,
        step: Duration = .zero
    ) {
        self.start = start
        self.sleeps = sleeps
        self.step = step
    }

    package var now: Timestamp {
        let (uptime, onNow) = self.state.withLock { ($0.uptime, $0.onNow) }
        onNow?()
        return self.start + uptime.milliseconds
    }

    package var uptime: Duration {
        self.state.withLock { state in
            state.uptime += self.step
            return state.uptime
        }
    }

    package var minimumResolution: Duration { .zero }

    /// Called when a task looks at the time, not at the uptime, or begins to sleep.
    package var onNow: (@Sendable () -> Void)? {
        get { self.state.withLock(\.onNow) }
        set { self.state.withLock { $0.onNow = newValue } }
    }

    package func sleep(until deadline: Timestamp, tolerance: Duration?) async throws {
        try await self.sleep(upTo: .milliseconds(deadline - self.start))
    }

    package func sleep(for duration: Duration) async throws {
        try await self.sleep(upTo: self.state.withLock(\.uptime) + duration)
    }

    private func sleep(upTo deadline: Duration) async throws {
        if self.sleeps == .advancing { self.state.withLock { $0.uptime = max($0.uptime, deadline) } }
        self.onNow?()
        let id = self.state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isOver, isCancelled, reached) = self.state.withLock { state in
                    let isOver = state.uptime >= deadline
                    let isCancelled = state.cancelled.remove(id) != nil
                    if !isOver, !isCancelled {
                        state.sleepers[id] = (deadline, continuation)
                    }
                    let reached = state.awaiting.filter { $0.count <= state.sleepers.count }
                    state.awaiting.removeAll { $0.count <= state.sleepers.count }
                    return (isOver, isCancelled, reached.map(\.continuation))
                }
                if isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if isOver {
                    continuation.resume()
                }
                for continuation in reached {
                    continuation.resume()
                }
            }
        } onCancel: {
            let sleeper = self.state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil {
                    state.cancelled.insert(id)
                }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when this many tasks sleep.
    package func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = self.state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.awaiting.append((count, continuation))
                return false
            }
            if isReached {
                continuation.resume()
            }
        }
    }

    /// Advances the clock, and ends the sleeps that are over.
    package func advance(by duration: Duration) {
        let over = self.state.withLock { state in
            state.uptime += duration
            let over = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for id in over.keys {
                state.sleepers[id] = nil
            }
            return over.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in over {
            sleeper.continuation.resume()
        }
    }
}
