internal import IntentEvents
internal import IntentRuntime
internal import Synchronization

/// How far the view has read, and who waits for it: a change of an interaction, or an offset.
///
/// Waiting callers are woken after what was read is committed.
final class ViewProgress: Sendable {
    /// The most tasks that wait at once.
    static let waiterLimit = 20_000

    private struct State {
        var isReady = false
        var positions: [TopicPartition: Int64] = [:]
        var nextID: UInt64 = 0
        var count = 0
        var byName: [InteractionName: [UInt64: Signal]] = [:]
        var byPartition: [TopicPartition: [UInt64: (offset: Int64, signal: Signal)]] = [:]
    }

    private let state = Mutex(State())
    private let timer: any Clock<Duration>

    /// Starts without positions.
    /// - Parameter timer: The clock that measures how long is waited.
    init(timer: any Clock<Duration>) { self.timer = timer }

    /// Whether everything was read that the topics held when reading began.
    var isReady: Bool { self.state.withLock(\.isReady) }

    /// The next offset of each partition.
    var positions: [TopicPartition: Int64] { self.state.withLock(\.positions) }

    func setReady() { self.state.withLock { $0.isReady = true } }

    /// Records what was read and committed, and wakes who waits for it.
    func advance(to positions: [TopicPartition: Int64], changed names: Set<InteractionName>) {
        let signals = self.state.withLock { state in
            var signals: [Signal] = []
            for name in names { if let waiting = state.byName[name] { signals += waiting.values } }
            for (partition, position) in positions {
                state.positions[partition] = position
                guard let waiting = state.byPartition[partition] else { continue }
                signals += waiting.values.lazy.filter { $0.offset <= position }.map(\.signal)
            }
            return signals
        }
        for signal in signals { signal.change() }
    }

    /// Waits until these positions are reached; false when the time is over first, or the task was cancelled.
    func reach(_ positions: [TopicPartition: Int64], within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        for (partition, offset) in positions {
            let signal = Signal()
            let id = self.state.withLock { state -> UInt64? in
                guard state.positions[partition] ?? -1 < offset else { return nil }
                state.nextID += 1
                state.byPartition[partition, default: [:]][state.nextID] = (offset, signal)
                return state.nextID
            }
            guard let id else { continue }
            defer { self.state.withLock { _ = $0.byPartition[partition]?.removeValue(forKey: id) } }
            guard await signal.wait(for: deadline - .now, clock: self.timer) == .changed else { return false }
        }
        return true
    }

    /// Watches an interaction while the body runs.
    /// - Throws: ``GatewayError``, `tooManyRequests`, when too many are watched; what the body throws.
    func watching<Value>(
        _ name: InteractionName,
        _ body: (Signal) async throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        let signal = Signal()
        let id = self.state.withLock { state -> UInt64? in
            guard state.count < Self.waiterLimit else { return nil }
            state.count += 1
            state.nextID += 1
            state.byName[name, default: [:]][state.nextID] = signal
            return state.nextID
        }
        guard let id else {
            throw GatewayError(.tooManyRequests, "\(Self.waiterLimit) requests wait already.", retryAfter: 1)
        }
        defer {
            self.state.withLock { state in
                state.count -= 1
                state.byName[name]?[id] = nil
                if state.byName[name]?.isEmpty ?? false { state.byName[name] = nil }
            }
        }
        return try await body(signal)
    }
}
