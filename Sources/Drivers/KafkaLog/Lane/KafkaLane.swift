import CRDKafka
import IntentEvents
import IntentRuntime
import Logging
import Synchronization
import Telemetry

/// A consumer and a producer on a thread of their own.
///
/// The actor's executor is that thread, so librdkafka's blocking calls never block one of Swift's.
actor KafkaLane: TransactionalLane {
    /// The lane's librdkafka handles; none after it was closed.
    private enum State {
        /// Goes to `closed`.
        case open(LaneConsumer, LaneProducer?)
        /// Final.
        case closed
    }

    private let thread: OwnThread
    private let configuration: KafkaLog.Configuration
    private let lane: LaneConfiguration
    private nonisolated let waker: Waker
    /// Whether the last commit used up its time: no broker answers, or the call still occupies the thread.
    private nonisolated let hasTimedOut = Atomic(false)
    private var state: State
    private var assignment = LaneAssignment()
    /// The position of each started partition.
    private var reached: [TopicPartition: Int64] = [:]
    private var unreadable = UnreadableRecords()
    /// When the last poll ended.
    private var polledAt = ContinuousClock.now

    /// The lane's own thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { self.thread.asUnownedSerialExecutor() }

    /// Makes a lane and joins its group; the assignment comes with a poll.
    /// - Throws: ``LogError``, `unavailable`, `unknownTopic`, `configuration`, `notAuthorized`.
    init(
        _ lane: LaneConfiguration,
        configuration: KafkaLog.Configuration,
        consumer: sending LaneConsumer,
        thread: OwnThread
    ) {
        self.thread = thread
        self.configuration = configuration
        self.lane = lane
        self.waker = consumer.waker
        self.state = .open(consumer, nil)
    }

    /// Connects: fences older lanes of the name, then joins the group.
    /// - Throws: ``LogError``, `unavailable`, `unknownTopic`, `notAuthorized`.
    func open() throws(LogError) {
        let consumer = try self.consumer()
        if self.lane.delivery != .consumeOnly {
            self.state = .open(consumer, try LaneProducer(self.configuration, lane: self.lane))
        }
        try consumer.subscribe(to: self.lane.topics, timeout: self.configuration.requestTimeout)
    }

    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        let consumer = try self.consumer()
        if self.configuration.metrics != nil, case .open(_, let producer?) = self.state { producer.serve() }
        let began = ContinuousClock.now
        let wasSilent = began - self.polledAt >= consumer.pollInterval
        defer { self.polledAt = .now }
        let deadline = began + timeout
        var records: [LogRecord] = []
        var wait = self.waker.consumePending() ? 0 : timeout.milliseconds
        var bytes = 0
        poll: while records.count < maxRecords, bytes < self.lane.pollBytes {
            // One by one: librdkafka's batch calls lose or misdeliver some around a pause or a rebalance
            // (ClientLibrary.md).
            let message = rd_kafka_consumer_poll(consumer.client.handle, wait)
            defer { message.map(rd_kafka_message_destroy) }
            let rebalances = consumer.client.context.drainRebalances()
            guard rebalances.isEmpty else {
                // These records belong to the next owner of the partition.
                return try self.events(of: rebalances, consumer, wasSilent: wasSilent)
            }
            guard let message else { break poll }
            if message.pointee.err.isSuccess {
                let record = LogRecord(message, topics: &consumer.topics)
                bytes += record.content.byteCount
                records.append(record)
                wait = 0
            } else {
                if message.pointee.err == RD_KAFKA_RESP_ERR__PARTITION_EOF {
                    // Everything that a committed reader can see: markers and aborted records before it are skipped.
                    self.reached[consumer.topics.topicPartition(of: message)] = message.pointee.offset
                } else {
                    try self.check(message, consumer)
                }
                wait = records.isEmpty ? deadline.remaining.milliseconds : 0
            }
        }
        // The return of this poll answers a wake that came while it waited.
        _ = self.waker.consumePending()
        self.recordReached(records)
        return records.isEmpty ? [] : [.records(records)]
    }

    func start(at offsets: [TopicPartition: Int64?]) async throws(LogError) {
        let consumer = try self.consumer()
        let starts = try self.assignment.start(at: offsets)
        try consumer.assign(starts)
        // The position of the earliest record is known with the first one, or with the end.
        self.reached = starts.filter { $0.value >= 0 }
    }

    func positions() async -> [TopicPartition: Int64] { self.reached }

    /// Records the positions after these records: the last one of each partition counts.
    private func recordReached(_ records: [LogRecord]) {
        for index in records.indices {
            let next = index + 1
            // The records of a partition are mostly adjacent.
            guard next == records.count || records[next].topicPartition != records[index].topicPartition else {
                continue
            }
            let record = records[index]
            // The end may have been reported before the last records were returned.
            self.reached[record.topicPartition] = max(
                self.reached[record.topicPartition] ?? 0,
                record.offset + 1
            )
        }
    }

    func release() async throws(LogError) {
        let consumer = try self.consumer()
        self.assignment = LaneAssignment()
        self.reached = [:]
        try consumer.assign(nil)
    }

    nonisolated func commit(_ batch: LaneCommit) async throws(LogError) {
        // The time-outs inside end with the transaction's, and an abort takes up to a second more: this ends only calls
        // that do not return by themselves. A worker that stops waits no longer than this (R67a).
        let timeout = Duration.milliseconds(self.lane.transactionTimeout)
        let began = ContinuousClock.now
        let result = await Watchdog.run(limit: timeout + .seconds(2)) { await self.result(of: batch) }
        self.hasTimedOut.store(began.duration(to: .now) >= timeout, ordering: .relaxed)
        guard let result else {
            throw LogError(.outcomeUnknown, "a commit of lane \(self.lane.name) did not return in time")
        }
        try result.get()
    }

    private func result(of batch: LaneCommit) -> Result<Void, LogError> {
        Result { () throws(LogError) in try self.write(batch) }
    }

    private func write(_ batch: LaneCommit) throws(LogError) {
        let deadline = ContinuousClock.now + .milliseconds(self.lane.transactionTimeout)
        let consumer = try self.consumer()
        guard !batch.offsets.isEmpty else {
            throw LogError(.other, "a commit without offsets does not prove ownership of partitions")
        }
        guard let membership = GroupMembership(of: consumer.client) else {
            throw LogError(.closed, "the lane was closed")
        }
        try self.assignment.check(batch.offsets, membership: membership.fingerprint)
        guard rd_kafka_assignment_lost(consumer.client.handle) == 0 else {
            throw LogError(.fenced, "lane \(self.lane.name) lost its partitions to other lanes of \(self.lane.group)")
        }
        switch self.lane.delivery {
        case .exactlyOnce:
            try self.producer().commitTransaction(batch, as: membership, deadline: deadline)
        case .atLeastOnce:
            if !batch.records.isEmpty {
                try self.producer().writeAll(batch.records, deadline: deadline)
            }
            // Even at the deadline the offsets get a moment: the records are written.
            try consumer.commit(batch.offsets, timeout: max(deadline.remaining, .seconds(1)))
        case .consumeOnly:
            guard batch.records.isEmpty else {
                throw LogError(.configuration, "lane \(self.lane.name) only consumes, but was given records to write")
            }
            try consumer.commitLater(batch.offsets)
        }
    }

    func pause(_ partitions: [TopicPartition]) async throws(LogError) {
        let consumer = try self.consumer()
        let list = PartitionList(self.assignment.pause(partitions))
        _ = rd_kafka_pause_partitions(consumer.client.handle, list.pointer)
    }

    func resume(_ partitions: [TopicPartition]) async throws(LogError) {
        let consumer = try self.consumer()
        // Resuming a partition that is not paused would rewind it: the assignment names only paused ones.
        let list = PartitionList(self.assignment.resume(partitions))
        _ = rd_kafka_resume_partitions(consumer.client.handle, list.pointer)
    }

    nonisolated func wake() { self.waker.wake() }

    nonisolated func close(_ departure: LaneDeparture) async {
        self.waker.wake()
        // After a commit that used up its time, the rest of the 15 s for leaving (R67a) is short: what the lane holds is freed
        // when, and if, its calls return.
        let hasTimedOut = self.hasTimedOut.load(ordering: .relaxed)
        let limit = hasTimedOut ? .milliseconds(300) : self.configuration.closeTimeout + .seconds(2)
        _ = await Watchdog.run(limit: limit) {
            await self.shutDown(departure)
            await self.thread.stop()
        }
    }

    private func shutDown(_ departure: LaneDeparture) {
        guard case .open(let consumer, _) = self.state else { return }
        // The producer is freed with the state: the broker, or the next lane of the name, aborts its open transaction.
        self.state = .closed
        consumer.close(departure, timeout: self.configuration.closeTimeout)
    }

    private func consumer() throws(LogError) -> LaneConsumer {
        guard case .open(let consumer, _) = self.state else { throw LogError(.closed, "the lane was closed") }
        return consumer
    }

    private func producer() throws(LogError) -> LaneProducer {
        guard case .open(_, let producer?) = self.state else { throw LogError(.closed, "the lane has no producer") }
        return producer
    }

    /// Turns the group's requests into events.
    private func events(
        of rebalances: [ClientContext.Rebalance],
        _ consumer: LaneConsumer,
        wasSilent: Bool
    ) throws(LogError) -> [LaneEvent] {
        var events: [LaneEvent] = []
        for rebalance in rebalances {
            switch rebalance {
            case .assigned(let partitions):
                // A transaction of a member that was killed may stay open for as long as its time-out.
                let timeout = self.configuration.requestTimeout + .milliseconds(self.lane.transactionTimeout)
                let committed = try consumer.committed(partitions, timeout: timeout)
                let membership = GroupMembership(of: consumer.client)?.fingerprint ?? []
                self.assignment = LaneAssignment(committed: committed, membership: membership)
                self.reached = [:]
                // The rebalance ends here, with nothing to fetch yet: while the state is restored librdkafka takes part
                // in the next one, and polls report it. Otherwise the group would wait for `start`, and continue
                // without the lane.
                try consumer.assign([:])
                events.append(.assigned(committed))
            case .revoked(let partitions, let lost):
                // librdkafka does not report that the group continued without a member that did not answer. Its next
                // heartbeat may reveal that only after this poll.
                let membership = GroupMembership(of: consumer.client)?.fingerprint ?? []
                events.append(.revoked(partitions, lost: lost || wasSilent || !self.assignment.holds(membership)))
            }
        }
        return events
    }

    /// Handles an error in place of a record.
    private func check(_ message: UnsafeMutablePointer<rd_kafka_message_t>, _ consumer: LaneConsumer) throws(LogError) {
        let handle = consumer.client.handle
        let text = rd_kafka_message_errstr(message).map { String(cString: $0) } ?? ""
        var code = message.pointee.err
        if code == RD_KAFKA_RESP_ERR__FATAL {
            code = rd_kafka_fatal_error(handle, nil, 0)
            throw LogError(LogError.code(of: code), "lane \(self.lane.name) of \(self.lane.group): \(text)")
        }
        let translated = LogError.code(of: code)
        switch translated {
        case .notAuthorized, .configuration, .unknownTopic, .offsetOutOfRange, .groupShared:
            let location = message.pointee.rkt == nil ? "" : " at \(consumer.topics.topicPartition(of: message))"
            throw LogError(translated, "lane \(self.lane.name) of \(self.lane.group)\(location): \(text)")
        case .unreadable:
            // librdkafka keeps trying, forever.
            let topicPartition = consumer.topics.topicPartition(of: message)
            let count = self.unreadable.record(topicPartition, offset: message.pointee.offset, at: OwnThread.uptime)
            if let count { consumer.client.context.log(unreadable: topicPartition, message, count: count) }
        default:
            // librdkafka recovers by itself: it reconnects, asks again, rejoins.
            consumer.client.context.logger.info("\(text)", metadata: [TelemetryKey.errorType: "\(code.text)"])
        }
    }
}
