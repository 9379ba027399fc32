import CRDKafka
import IntentEvents
import IntentRuntime

extension KafkaAdmin {
    /// Queries offsets.
    /// - Throws: ``LogError``, `unknownTopic`, `unavailable`.
    func offsets(_ partitions: [TopicPartition], at query: OffsetQuery) throws(LogError) -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        try self.check(partitions)
        switch query {
        case .earliest:
            return try self.list(partitions, at: Int64(RD_KAFKA_OFFSET_BEGINNING), self.client())
        case .end:
            return try self.list(partitions, at: Int64(RD_KAFKA_OFFSET_END), self.client(isolation: "read_uncommitted"))
        case .lastStable:
            return try self.list(partitions, at: Int64(RD_KAFKA_OFFSET_END), self.client())
        case .time(let time):
            let client = try self.client(isolation: "read_uncommitted")
            let found = try self.list(partitions, at: max(time, 0), client)
            let late = partitions.filter { found[$0] ?? -1 < 0 }
            guard !late.isEmpty else { return found }
            let ends = try self.list(late, at: Int64(RD_KAFKA_OFFSET_END), client)
            return found.merging(ends) { $1 }
        }
    }

    /// Asks the partitions' leaders; retries while a leader is not known or has moved.
    private func list(
        _ partitions: [TopicPartition],
        at timestamp: Int64,
        _ client: KafkaClient
    ) throws(LogError) -> [TopicPartition: Int64] {
        let deadline = ContinuousClock.now + self.timeout
        while true {
            let list = PartitionList(partitions.lazy.map { ($0, timestamp) })
            let code = rd_kafka_offsets_for_times(client.handle, list.pointer, max(deadline.remaining.milliseconds, 1))
            let elements = list.elements
            let failed = code.isSuccess ? elements.first { !$0.error.isSuccess }?.error : code
            guard let failed else {
                return Dictionary(elements.map { ($0.topicPartition, $0.offset) }, uniquingKeysWith: { $1 })
            }
            let failure = client.failure(failed, "fetching offsets")
            guard failure.isRetriable, deadline.remaining > .zero else { throw failure }
            // The library keeps a leader that is gone until its metadata are refreshed.
            _ = try client.topics(timeout: deadline.remaining)
            OwnThread.sleep(.milliseconds(20))
        }
    }

    /// The offsets that a group has committed; waits for those of transactions that are just being committed.
    /// - Throws: ``LogError``, `unknownTopic`, `unavailable`.
    func committedOffsets(group: GroupName, partitions: [TopicPartition]) throws(LogError) -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        let client = try self.client(of: group)
        let deadline = ContinuousClock.now + self.timeout
        while true {
            do throws(LogError) {
                let elements = try self.groupOffsets(group, partitions, client, until: deadline)
                guard let failed = elements.first(where: { !$0.error.isSuccess })?.error else {
                    return Dictionary(
                        elements.filter { $0.offset >= 0 }.map { ($0.topicPartition, $0.offset) },
                        uniquingKeysWith: { $1 }
                    )
                }
                throw client.failure(failed, "fetching the offsets of group \(group)")
            } catch let failure {
                guard failure.isRetriable, deadline.remaining > .zero else {
                    // A client that cannot find a coordinator may not find it later either.
                    self.forget(group)
                    throw failure
                }
                OwnThread.sleep(.milliseconds(10))
            }
        }
    }

    /// Asks the group's coordinator, as a client with the group's id that never joins it.
    ///
    /// `ListConsumerGroupOffsets` is not used: librdkafka 2.0.2 ends the process (`rd_kafka_enq_once_del_source_return:
    /// eonce->refcnt > 0`) when the broker goes away during the request.
    private func groupOffsets(
        _ group: GroupName,
        _ partitions: [TopicPartition],
        _ client: KafkaClient,
        until deadline: ContinuousClock.Instant
    ) throws(LogError) -> [PartitionList.Element] {
        let list = PartitionList(partitions)
        let code = rd_kafka_committed(client.handle, list.pointer, max(deadline.remaining.milliseconds, 1))
        guard code.isSuccess else { throw client.failure(code, "fetching the offsets of group \(group)") }
        return list.elements
    }
}
