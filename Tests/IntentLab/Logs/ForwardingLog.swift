package import IntentEvents
package import IntentRuntime

/// A log that changes some calls to another log: all calls that a test does not implement go to the log below.
package protocol ForwardingLog: EventLog {
    /// The type of the log below.
    associatedtype Below: EventLog
    /// The log below.
    var log: Below { get }
}

extension ForwardingLog {
    /// Creates a lane of the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        try await self.log.makeLane(configuration)
    }

    /// Creates a reader of the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        try await self.log.makeReader(from: offsets)
    }

    /// Creates a producer of the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func makeProducer() async throws(LogError) -> any LogProducer { try await self.log.makeProducer() }

    /// Creates topics in the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> {
        try await self.log.createTopics(topics)
    }

    /// The number of brokers of the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func brokerCount() async throws(LogError) -> Int { try await self.log.brokerCount() }

    /// The topics of the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func topics() async throws(LogError) -> [TopicDescription] { try await self.log.topics() }

    /// The offsets in the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.log.offsets(partitions, at: query)
    }

    /// The group's offsets in the log below.
    /// - Throws: ``LogError``, as the log below does.
    package func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.log.committedOffsets(group: group, partitions: partitions)
    }

    /// Closes the log below.
    package func close() async { await self.log.close() }
}
