import InMemoryLog
import IntentEvents
import IntentRuntime

/// A log in memory with something done to it: what a test does not say itself goes to the log below.
protocol LogOverMemory: EventLog {
    /// The log below.
    var log: InMemoryLog { get }
}

extension LogOverMemory {
    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        try await self.log.makeLane(configuration)
    }

    func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        try await self.log.makeReader(from: offsets)
    }

    func makeProducer() async throws(LogError) -> any LogProducer { try await self.log.makeProducer() }

    func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> {
        try await self.log.createTopics(topics)
    }

    func topics() async throws(LogError) -> [TopicDescription] { try await self.log.topics() }

    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.log.offsets(partitions, at: query)
    }

    func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.log.committedOffsets(group: group, partitions: partitions)
    }

    func close() async { await self.log.close() }
}
