package import InMemoryLog
internal import IntentEvents
package import IntentRuntime
import Synchronization

/// A log that reports what workers ask of it, and can refuse lanes.
///
/// A lane in memory ends its wait when its task is cancelled, and one of Kafka's does not: only `wake` tells.
package final class ObservedLog: ForwardingLog {
    package let log: InMemoryLog
    fileprivate let onPoll: @Sendable (Duration) -> Void
    fileprivate let onWake: @Sendable () -> Void
    fileprivate let onCommit: @Sendable (LaneCommit) -> Void
    private let starts = Mutex<[TopicPartition: Int64]>([:])
    private let failures = Mutex(0)

    /// Observes a log.
    ///
    /// - Parameters:
    ///   - log: The log below.
    ///   - onPoll: Called when a lane waits for records, with the time-out.
    ///   - onWake: Called when a lane is woken.
    ///   - onCommit: Called when a lane has committed.
    package init(
        _ log: InMemoryLog,
        onPoll: @escaping @Sendable (Duration) -> Void = { _ in },
        onWake: @escaping @Sendable () -> Void = {},
        onCommit: @escaping @Sendable (LaneCommit) -> Void = { _ in }
    ) {
        self.log = log
        self.onPoll = onPoll
        self.onWake = onWake
        self.onCommit = onCommit
    }

    /// Makes the next calls that create a lane fail.
    package func failLanes(_ count: Int) { self.failures.withLock { $0 = count } }

    /// The offsets from which each partition of the topic `state` was read since the last call.
    package func drainStarts() -> [TopicPartition: Int64] {
        self.starts.withLock { starts in
            defer { starts = [:] }
            return starts
        }
    }

    package func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        let fails = self.failures.withLock { count in
            guard count > 0 else { return false }
            count -= 1
            return true
        }
        guard !fails else { throw LogError(.unavailable, "nobody answers", isRetriable: true) }
        return ObservedLane(lane: try await self.log.makeLane(configuration), log: self)
    }

    package func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        let state = offsets.filter { $0.key.topic == Topic.state.name(prefix: "intents") }
        self.starts.withLock { $0.merge(state) { min($0, $1) } }
        return try await self.log.makeReader(from: offsets)
    }
}

private struct ObservedLane: ForwardingLane {
    let lane: any TransactionalLane
    let log: ObservedLog

    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        self.log.onPoll(timeout)
        return try await self.lane.poll(maxRecords: maxRecords, timeout: timeout)
    }

    func commit(_ batch: LaneCommit) async throws(LogError) {
        try await self.lane.commit(batch)
        self.log.onCommit(batch)
    }

    func wake() {
        self.log.onWake()
        self.lane.wake()
    }
}
