import CRDKafka
import IntentEvents
import IntentRuntime
import Logging

/// The consuming half of a lane; used on the lane's thread only, except ``waker``.
final class LaneConsumer {
    /// The librdkafka consumer.
    let client: KafkaClient
    /// How long the group waits for the next poll before it continues without the lane.
    let pollInterval: Duration
    /// Ends a poll, from any thread.
    let waker: Waker
    var topics = TopicNames()

    /// Makes a consumer that has not joined its group yet.
    /// - Throws: ``LogError``, `configuration`.
    init(_ configuration: KafkaLog.Configuration, lane: LaneConfiguration) throws(LogError) {
        try Self.check(lane.name)
        let role = "\(lane.group)-\(lane.name)-consumer"
        self.pollInterval = max(configuration.maximumPollInterval, .milliseconds(lane.sessionTimeout))
        var properties = ClientProperties(configuration, laneRole: role)
        properties["group.id"] = lane.group.text
        properties["group.instance.id"] = lane.name.text
        properties["session.timeout.ms"] = "\(lane.sessionTimeout)"
        properties["heartbeat.interval.ms"] = "\(max(lane.sessionTimeout / 10, 100))"
        properties["max.poll.interval.ms"] = "\(self.pollInterval.milliseconds)"
        properties["partition.assignment.strategy"] = "range"
        // A later librdkafka uses the other protocol by default: the broker assigns there, and may not assign by range.
        if KafkaLibrary.hasGroupProtocols { properties["group.protocol"] = "classic" }
        properties["isolation.level"] = "read_committed"
        properties["enable.auto.commit"] = "false"
        properties["enable.auto.offset.store"] = "false"
        // The start offset is always given; an offset that the log does not hold is an error and is never replaced.
        properties["auto.offset.reset"] = "error"
        // Reports positions behind markers and aborted records.
        properties["enable.partition.eof"] = "true"
        if lane.delivery == .consumeOnly {
            // Nobody waits for the recorder: fetches that gather for a moment save broker, recorder and store most of
            // their work at low rates.
            properties["fetch.min.bytes"] = "1000000"
            properties["fetch.wait.max.ms"] = "100"
        } else {
            // The broker answers a fetch when records come; this only bounds how long it holds an empty one.
            properties["fetch.wait.max.ms"] = "500"
        }
        properties["fetch.error.backoff.ms"] = "50"
        // A full queue stops the fetches for a whole second, however soon it is empty again, so it has to hold what is
        // processed in that time. The recorder reads every topic.
        properties["queued.max.messages.kbytes"] = lane.delivery == .consumeOnly ? "65536" : "16384"
        let context = ClientContext(configuration, role: role, of: lane.name)
        self.client = try KafkaClient(RD_KAFKA_CONSUMER, properties: properties, context: context) { configuration in
            // Called on the lane's thread, within poll and close. It only notes the change. The lane answers with
            // `assign`: at once when it gets partitions, and after it has dropped their state when it loses them.
            // librdkafka waits for that, while heartbeats continue.
            rd_kafka_conf_set_rebalance_cb(configuration) { handle, code, list, opaque in
                guard let context = ClientContext.of(opaque) else { return }
                let partitions = PartitionList.elements(of: list).map(\.topicPartition)
                if code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
                    context.record(.assigned(partitions))
                } else {
                    context.record(.revoked(partitions, lost: rd_kafka_assignment_lost(handle) != 0))
                }
                rd_kafka_yield(handle)
            }
            // Called on the lane's thread, within poll, for commits that nobody waits for.
            rd_kafka_conf_set_offset_commit_cb(configuration) { _, code, _, opaque in
                guard !code.isSuccess, code != RD_KAFKA_RESP_ERR__NO_OFFSET else { return }
                // Without a coordinator, the broker does not respond, which monitoring reports; later commits include
                // these offsets.
                let isBrokerLost = code == RD_KAFKA_RESP_ERR__WAIT_COORD
                ClientContext.of(opaque)?.logger
                    .log(level: isBrokerLost ? .info : .warning, "Could not commit offsets: \(code.text)")
            }
        }
        rd_kafka_poll_set_consumer(self.client.handle)
        self.waker = Waker(self.client)
    }

    /// Joins the group; the assignment comes with a poll.
    /// - Throws: ``LogError``, `unknownTopic`, `unavailable`.
    func subscribe(to topics: [TopicName], timeout: Duration) throws(LogError) {
        let known = try self.client.topics(timeout: timeout)
        for topic in topics where known[topic] == nil {
            throw LogError(.unknownTopic, "unknown topic \(topic)")
        }
        let list = PartitionList(topics.lazy.map { TopicPartition($0, -1) })
        let code = rd_kafka_subscribe(self.client.handle, list.pointer)
        guard code.isSuccess else {
            throw self.client.failure(code, "subscribing to \(topics.map(\.text).joined(separator: ", "))")
        }
    }

    /// The group's committed offsets; waits for those of transactions that are just being committed.
    /// - Throws: ``LogError``, `unavailable`.
    func committed(_ partitions: [TopicPartition], timeout: Duration) throws(LogError) -> [TopicPartition: Int64?] {
        guard !partitions.isEmpty else { return [:] }
        let deadline = ContinuousClock.now + timeout
        while true {
            let list = PartitionList(partitions)
            let code = rd_kafka_committed(self.client.handle, list.pointer, max(deadline.remaining.milliseconds, 1))
            let elements = list.elements
            let failed = code.isSuccess ? elements.first { !$0.error.isSuccess }?.error : code
            guard let failed else {
                return Dictionary(
                    elements.map { ($0.topicPartition, $0.offset < 0 ? nil : $0.offset) },
                    uniquingKeysWith: { $1 }
                )
            }
            let failure = self.client.failure(failed, "fetching committed offsets")
            guard failure.isRetriable, deadline.remaining > .zero else { throw failure }
            OwnThread.sleep(.milliseconds(10))
        }
    }

    /// Starts to fetch these partitions, or, with none, stops fetching and gives all back.
    func assign(_ offsets: [TopicPartition: Int64]?) throws(LogError) {
        self.topics.forget()
        let code: rd_kafka_resp_err_t
        if let offsets {
            let list = PartitionList(offsets.lazy.map { ($0.key, $0.value) })
            code = rd_kafka_assign(self.client.handle, list.pointer)
        } else {
            code = rd_kafka_assign(self.client.handle, nil)
        }
        guard code.isSuccess else {
            throw self.client.failure(code, offsets == nil ? "unassigning partitions" : "assigning partitions")
        }
    }

    /// Commits offsets without a transaction, and waits for the answer.
    /// - Throws: ``LogError``, `fenced` or, when no answer comes, `outcomeUnknown`.
    func commit(_ offsets: [TopicPartition: Int64], timeout: Duration) throws(LogError) {
        let list = PartitionList(offsets.lazy.map { ($0.key, $0.value) })
        // A queue of its own instead of a synchronous commit, which waits without a bound.
        let queue = rd_kafka_queue_new(self.client.handle)
        defer { rd_kafka_queue_destroy(queue) }
        var code = rd_kafka_commit_queue(self.client.handle, list.pointer, queue, nil, nil)
        if code.isSuccess {
            guard let event = rd_kafka_queue_poll(queue, timeout.milliseconds) else {
                throw LogError(.outcomeUnknown, "no response to an offset commit from \(self.client.context.brokers)")
            }
            code = rd_kafka_event_error(event)
            rd_kafka_event_destroy(event)
        }
        guard code.isSuccess else { throw self.client.failure(code, "committing offsets") }
    }

    /// Commits offsets without a transaction; does not wait for the answer.
    func commitLater(_ offsets: [TopicPartition: Int64]) throws(LogError) {
        let list = PartitionList(offsets.lazy.map { ($0.key, $0.value) })
        let code = rd_kafka_commit(self.client.handle, list.pointer, 1)
        guard code.isSuccess else { throw self.client.failure(code, "committing offsets") }
    }

    /// Leaves and closes within the time-out, whatever the broker does.
    func close(_ departure: LaneDeparture, timeout: Duration) {
        self.waker.close()
        let handle = self.client.handle
        let deadline = ContinuousClock.now + timeout
        if departure == .leaveGroup { self.leaveGroup(until: deadline) }
        // Answers the group's pending request: librdkafka closes only after that.
        rd_kafka_assign(handle, nil)
        guard let queue = rd_kafka_queue_new(handle) else { return }
        defer { rd_kafka_queue_destroy(queue) }
        if let error = rd_kafka_consumer_close_queue(handle, queue) {
            rd_kafka_error_destroy(error)
            return
        }
        while rd_kafka_consumer_closed(handle) == 0, deadline.remaining > .zero {
            rd_kafka_consume_queue(queue, 10).map(rd_kafka_message_destroy)
            for case .revoked in self.client.context.drainRebalances() {
                rd_kafka_assign(handle, nil)
            }
        }
    }

    /// Leaves the group for good.
    ///
    /// librdkafka has no call for that. It sends no LeaveGroup when a static member closes, since the member may come
    /// back, but it sends one when the member unsubscribes, as soon as its partitions are revoked. Closing waits for
    /// the group's answer.
    private func leaveGroup(until deadline: ContinuousClock.Instant) {
        self.unassign()
        // The member may not have received its id from the group yet.
        self.unassign(until: deadline) { self.hasMemberID }
        rd_kafka_unsubscribe(self.client.handle)
        // The member loses its id when LeaveGroup was sent.
        self.unassign(until: deadline) { !self.hasMemberID }
    }

    /// Answers the group's requests with no partitions until the condition holds.
    private func unassign(until deadline: ContinuousClock.Instant, _ holds: () -> Bool) {
        while !holds(), deadline.remaining > .zero {
            rd_kafka_consumer_poll(self.client.handle, 10).map(rd_kafka_message_destroy)
            for _ in self.client.context.drainRebalances() { self.unassign() }
        }
    }

    /// Answers the group's pending request, whichever it is: librdkafka postpones unsubscribing until then.
    private func unassign() {
        // To an assignment the answer is a list, although an empty one; to a revocation it is none.
        let none = PartitionList([TopicPartition]())
        rd_kafka_assign(self.client.handle, none.pointer)
        rd_kafka_assign(self.client.handle, nil)
    }

    private var hasMemberID: Bool {
        guard let id = rd_kafka_memberid(self.client.handle) else { return false }
        defer { rd_kafka_mem_free(self.client.handle, id) }
        return id.pointee != 0
    }

    /// Kafka allows the same characters in a static member's name as in a topic's.
    private static func check(_ name: LaneName) throws(LogError) {
        guard name.isLegalInKafka else {
            throw LogError(.configuration, "invalid lane name \(name): use letters, digits, '.', '_' and '-'")
        }
    }
}
