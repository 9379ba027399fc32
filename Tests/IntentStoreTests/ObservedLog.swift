import InMemoryLog
import IntentLab
import IntentRuntime

/// A log that reports what is asked of its lanes: each wait for records, with its time-out, and each call of `wake`.
///
/// A lane in memory ends its wait when its task is cancelled, and one of Kafka's does not: only `wake` tells.
struct ObservedLog: ForwardingLog {
    let log: InMemoryLog
    let onPoll: @Sendable (Duration) -> Void
    let onWake: @Sendable () -> Void

    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        ObservedLane(lane: try await self.log.makeLane(configuration), observer: self)
    }
}

private struct ObservedLane: TransactionalLane {
    let lane: any TransactionalLane
    let observer: ObservedLog

    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        self.observer.onPoll(timeout)
        return try await self.lane.poll(maxRecords: maxRecords, timeout: timeout)
    }

    func wake() {
        self.observer.onWake()
        self.lane.wake()
    }

    func start(at offsets: [TopicPartition: Int64?]) async throws(LogError) { try await self.lane.start(at: offsets) }

    func release() async throws(LogError) { try await self.lane.release() }

    func commit(_ batch: LaneCommit) async throws(LogError) { try await self.lane.commit(batch) }

    func pause(_ partitions: [TopicPartition]) async throws(LogError) { try await self.lane.pause(partitions) }

    func resume(_ partitions: [TopicPartition]) async throws(LogError) { try await self.lane.resume(partitions) }

    func positions() async -> [TopicPartition: Int64] { await self.lane.positions() }

    func close(_ departure: LaneDeparture) async { await self.lane.close(departure) }
}
