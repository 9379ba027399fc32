import Synchronization

/// A clock that only the test advances.
package final class ManualClock: Clock {
    /// A time of the clock.
    package struct Instant: InstantProtocol {
        /// The time since the clock's beginning.
        package var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: self.offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - self.offset }
        package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var next = 0
    }

    private let state = Mutex(State())

    /// Creates a clock at its beginning.
    package init() {}

    package var now: Instant { self.state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = self.state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isOver, isCancelled, reached) = self.state.withLock { state in
                    let isOver = state.now >= deadline
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
            state.now = state.now.advanced(by: duration)
            let over = state.sleepers.filter { $0.value.deadline <= state.now }
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
