import InMemoryLog
import IntentRuntime
import IntentLab

/// A log whose retention has removed the first records of one partition.
struct CutLog: ForwardingLog {
    let log: InMemoryLog

    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        var offsets = try await self.log.offsets(partitions, at: query)
        if query == .earliest, let first = partitions.first { offsets[first] = 7 }
        return offsets
    }
}
