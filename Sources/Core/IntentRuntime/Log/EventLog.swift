package import IntentEvents

/// The log that everything runs on: Kafka, the embedded broker, or memory.
///
/// A driver guarantees the following beyond its signatures, and the shared conformance suite checks it:
/// - a partition keeps the order of writes; a record is read with the bytes, headers (including their order and
///   repeats) and key that were written; tombstones and empty values are different;
/// - readers and lanes see committed records only, never those of an aborted or open transaction;
/// - a lane's outputs and offsets become visible together or not at all;
/// - two lanes of one name fence each other: the older one's commit throws `fenced`; so does the commit of a lane whose
///   partitions the group has given to another;
/// - lanes of one group share the partitions of all their topics so that one lane has partition n of every topic.
package protocol EventLog: Sendable {
    /// Joins a group.
    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane

    /// Reads partitions from these offsets on.
    func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader

    /// Writes records as a client does.
    func makeProducer() async throws(LogError) -> any LogProducer

    /// Makes topics; those that exist are left as they are. Returns the names that were made.
    func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName>

    /// The number of brokers that hold the log's topics.
    func brokerCount() async throws(LogError) -> Int

    /// Describes all topics that the log holds, internal ones left out, by name.
    func topics() async throws(LogError) -> [TopicDescription]

    /// The numbers of partitions of these topics; those that do not exist are left out.
    ///
    /// It is asked for every few seconds, so it costs one request.
    func partitionCounts(of topics: [TopicName]) async throws(LogError) -> [TopicName: Int]

    /// Looks offsets up; a partition that does not exist is an error (`unknownTopic`).
    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64]

    /// The offsets that a group has committed; partitions without one are left out.
    func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64]

    /// Closes what the log itself keeps open; lanes, readers and producers are closed by their owners.
    func close() async
}

extension EventLog {
    /// One, for a log that is a single place.
    package func brokerCount() async throws(LogError) -> Int { 1 }

    /// The numbers of partitions, from the topics' descriptions.
    package func partitionCounts(of topics: [TopicName]) async throws(LogError) -> [TopicName: Int] {
        let known = try await self.topics().filter { topics.contains($0.name) }
        return Dictionary(known.map { ($0.name, $0.partitions) }) { first, _ in first }
    }

    /// Writes records with a producer of their own, and returns the offset of each when all are acknowledged.
    /// - Throws: ``LogError`` of the first record that was refused; others may have been written.
    @discardableResult
    package func write(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64] {
        let producer = try await self.makeProducer()
        do throws(LogError) {
            let offsets = try await producer.send(records)
            await producer.close()
            return offsets
        } catch {
            await producer.close()
            throw error
        }
    }
}

/// Writes records outside any transaction, idempotently: for clients such as `intentd produce`.
package protocol LogProducer: Sendable {
    /// Writes the records and returns the offset of each, in order, when all are acknowledged.
    ///
    /// Calls may overlap. Records of one call and one partition keep their order.
    /// - Throws: ``LogError`` of the first record that was refused; others of the call may have been written.
    func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64]

    /// Waits for writes in flight, for a bounded time, and frees the connection.
    func close() async
}

/// A query for an offset of a partition.
package enum OffsetQuery: Hashable, Sendable {
    /// The first offset that the partition still holds.
    case earliest
    /// The offset after the last record, open transactions included (Kafka's high watermark).
    case end
    /// The offset after the last record that a `read_committed` reader can see (the last stable offset).
    case lastStable
    /// The first record at or after this time, in milliseconds since 1970; the end when there is none.
    case time(Int64)
}

/// A log that can show the first record of an open transaction.
///
/// This is only for messages about blocked readers: uncommitted records are never processed.
package protocol OpenTransactionLog: EventLog {
    /// The first record at or after each offset, committed or not; partitions without one are left out.
    func uncommittedRecords(at offsets: [TopicPartition: Int64]) async throws(LogError) -> [TopicPartition: LogRecord]
}
