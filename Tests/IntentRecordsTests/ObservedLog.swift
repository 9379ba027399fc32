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

private struct ObservedLane: ForwardingLane {
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
}
