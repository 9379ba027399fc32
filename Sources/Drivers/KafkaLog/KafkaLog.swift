package import CoreMetrics
package import IntentEvents
package import IntentRuntime
import Synchronization

/// The log on Kafka, or on any broker that speaks its protocol.
package final class KafkaLog: OpenTransactionLog, MembershipLog {
    private let configuration: Configuration
    private let metrics = Mutex<(any MetricsFactory)?>(nil)
    let admin: KafkaAdmin

    /// Describes the connection; nothing is connected yet.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        self.admin = KafkaAdmin(configuration)
    }

    /// The same cluster with connections of its own: its queries do not wait behind those of others that get no answer.
    ///
    /// The caller closes it. A call waits for an answer up to `requestTimeout`; nil for as long as this log's own calls.
    package func withOwnConnections(requestTimeout: Duration? = nil) -> KafkaLog {
        var configuration = self.configuration
        if let requestTimeout { configuration.requestTimeout = requestTimeout }
        return KafkaLog(configuration)
    }

    /// Makes the clients of lanes created from now on report their statistics to a metrics backend.
    package func measure(with factory: any MetricsFactory) { self.metrics.withLock { $0 = factory } }

    package func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        var connection = self.configuration
        connection.metrics = self.metrics.withLock(\.self)
        return try await Self.opened(
            KafkaLane(
                configuration,
                configuration: connection,
                consumer: try LaneConsumer(connection, lane: configuration),
                thread: OwnThread(name: configuration.name.text)
            )
        )
    }

    package func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        try await Self.opened(KafkaReader(self.configuration, offsets: offsets))
    }

    package func uncommittedRecords(
        at offsets: [TopicPartition: Int64]
    ) async throws(LogError) -> [TopicPartition: LogRecord] {
        guard !offsets.isEmpty else { return [:] }
        let reader = KafkaReader(self.configuration, offsets: offsets, isolation: "read_uncommitted")
        do throws(LogError) {
            try await reader.open()
            let deadline = ContinuousClock.now + .seconds(2)
            var found: [TopicPartition: LogRecord] = [:]
            while deadline.remaining > .zero, found.count < offsets.count {
                let batch = try await reader.next(maxRecords: 1_000, timeout: .milliseconds(200))
                for record in batch.records where found[record.topicPartition] == nil {
                    found[record.topicPartition] = record
                }
            }
            await reader.close()
            return found
        } catch {
            await reader.close()
            throw error
        }
    }

    package func makeProducer() async throws(LogError) -> any LogProducer {
        try await Self.opened(KafkaProducer(self.configuration))
    }

    package func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> {
        try await self.admin.createTopics(topics)
    }

    package func brokerCount() async throws(LogError) -> Int {
        try await self.ask { (admin) async throws(LogError) in try await admin.brokerCount() }
    }

    package func partitionCounts(of topics: [TopicName]) async throws(LogError) -> [TopicName: Int] {
        try await self.ask { (admin) async throws(LogError) in try await admin.partitionCounts(of: topics) }
    }

    package func topics() async throws(LogError) -> [TopicDescription] {
        try await self.ask { (admin) async throws(LogError) in try await admin.topics() }
    }

    package func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.ask { (admin) async throws(LogError) in try await admin.offsets(partitions, at: query) }
    }

    package func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.ask { (admin) async throws(LogError) in
            try await admin.committedOffsets(group: group, partitions: partitions)
        }
    }

    package func members(of group: GroupName) async throws(LogError) -> [GroupMember] {
        try await self.ask { (admin) async throws(LogError) in try await admin.members(of: group) }
    }

    package func close() async { await self.admin.close() }

    /// Connects a client; one that cannot connect is closed.
    private static func opened<Client: KafkaConnection>(_ client: Client) async throws(LogError) -> Client {
        do throws(LogError) {
            try await Self.untilCancelled { () async throws(LogError) in try await client.open() }
            return client
        } catch {
            await client.close()
            throw error
        }
    }

    /// Asks the brokers.
    private func ask<Value: Sendable>(
        _ query: @escaping @Sendable (KafkaAdmin) async throws(LogError) -> Value
    ) async throws(LogError) -> Value {
        try await Self.untilCancelled { [admin = self.admin] () async throws(LogError) in try await query(admin) }
    }

    /// Awaits the brokers' response, for as long as the task is not cancelled: queries wait for each other, up to
    /// `requestTimeout` each, and a process that stops does not wait for them (R67a).
    private static func untilCancelled<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(LogError) -> Value
    ) async throws(LogError) -> Value {
        let result = await Watchdog.runUntilCancelled { await Result(awaiting: body) }
        guard let result else {
            throw LogError(.unavailable, "stopped waiting for a response of the broker", isRetriable: true)
        }
        return try result.get()
    }
}

/// A client that connects when it is opened.
private protocol KafkaConnection: Sendable {
    func open() async throws(LogError)
    func close() async
}

extension KafkaLane: KafkaConnection {}
extension KafkaReader: KafkaConnection {}
extension KafkaProducer: KafkaConnection {}
