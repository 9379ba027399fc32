import CRDKafka
import IntentRuntime
import Logging

#if canImport(Darwin)
import Darwin
#else
import Glibc
import Telemetry
#endif

/// Reads partitions on a thread of its own, without a group.
actor KafkaReader: LogReader {
    /// The reader's librdkafka handle.
    private enum State {
        /// Made, but not connected.
        ///
        /// Goes to `open` or `closed`.
        case idle
        /// Goes to `closed`.
        case open(KafkaClient)
        /// Final.
        case closed
    }

    private let thread = OwnThread(name: "intentd-reader")
    private let configuration: KafkaLog.Configuration
    private var state = State.idle
    private var topics = TopicNames()
    private var positions: [TopicPartition: Int64]
    private let isolation: String
    private var unreadable = UnreadableRecords()
    /// Whether librdkafka's queue was so full that it may have stopped fetching.
    private var hasBeenFull = false

    /// The reader's own thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { self.thread.asUnownedSerialExecutor() }

    /// Describes a reader that is not connected yet.
    ///
    /// - Parameters:
    ///   - configuration: The connection to the cluster.
    ///   - offsets: The partitions, and the start offsets.
    ///   - isolation: Whether it sees uncommitted records.
    init(
        _ configuration: KafkaLog.Configuration,
        offsets: [TopicPartition: Int64],
        isolation: String = "read_committed"
    ) {
        self.configuration = configuration
        self.isolation = isolation
        self.positions = offsets
    }

    /// Connects and starts to fetch.
    /// - Throws: ``LogError``, `unavailable`, `unknownTopic`, `notAuthorized`.
    func open() throws(LogError) {
        var properties = ClientProperties(self.configuration, role: "reader")
        // librdkafka requires a group for `assign`; nobody joins it, and nothing is committed to it.
        properties["group.id"] = "\(self.configuration.clientIDPrefix)-reader"
        properties["enable.auto.commit"] = "false"
        properties["enable.auto.offset.store"] = "false"
        properties["isolation.level"] = self.isolation
        properties["auto.offset.reset"] = "error"
        properties["enable.partition.eof"] = "true"
        properties["fetch.error.backoff.ms"] = "50"
        // An empty fetch reports the end of a partition: a reader that reads up to an end waits that long for it.
        properties["fetch.wait.max.ms"] = "50"
        // A full queue stops the fetches for a whole second, however soon it is empty again.
        properties["queued.max.messages.kbytes"] = "65536"
        let context = ClientContext(self.configuration, role: "reader")
        let client = try KafkaClient(RD_KAFKA_CONSUMER, properties: properties, context: context)
        rd_kafka_poll_set_consumer(client.handle)
        try client.check(self.positions.keys, timeout: self.configuration.requestTimeout)
        let list = PartitionList(self.positions.lazy.map { ($0.key, $0.value) })
        let code = rd_kafka_assign(client.handle, list.pointer)
        guard code.isSuccess else { throw client.failure(code, "assigning partitions") }
        self.state = .open(client)
    }

    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch {
        try await self.next(maxRecords: maxRecords, timeout: timeout, keysBeginning: [])
    }

    func next(maxRecords: Int, timeout: Duration, keysBeginning prefix: [UInt8]) async throws(LogError) -> ReaderBatch {
        guard case .open(let client) = self.state else { throw LogError(.closed, "the reader was closed") }
        let deadline = ContinuousClock.now + timeout
        var batch = MessageBatch(client)
        var records: [LogRecord] = []
        var (seen, hasMoved) = (0, false)
        // The records of a partition are adjacent: its position is noted after the last of them.
        var (current, position): (TopicPartition?, Int64) = (nil, 0)
        var (topic, partition): (OpaquePointer?, Int32) = (nil, -1)
        defer { if let current { self.positions[current] = position } }
        var wait = timeout.milliseconds
        while seen < maxRecords, let message = batch.next(limit: maxRecords - seen, wait: wait) {
            defer { rd_kafka_message_destroy(message) }
            let content = message.pointee
            if content.err.isSuccess {
                if current == nil || content.rkt != topic || content.partition != partition {
                    if let current { self.positions[current] = position }
                    (topic, partition) = (content.rkt, content.partition)
                    current = self.topics.topicPartition(of: message)
                }
                position = content.offset + 1
                seen += 1
                // Other records are not even copied.
                if content.hasKey(beginning: prefix) { records.append(LogRecord(message, topics: &self.topics)) }
            } else if content.err == RD_KAFKA_RESP_ERR__PARTITION_EOF {
                // The end that a committed reader can see: control records and aborted records before it are skipped.
                let topicPartition = self.topics.topicPartition(of: message)
                if let read = current.take() { self.positions[read] = position }
                hasMoved = hasMoved || self.positions[topicPartition] != content.offset
                self.positions[topicPartition] = content.offset
            } else {
                try self.check(message, client)
            }
            wait = seen == 0 && !hasMoved ? deadline.remaining.milliseconds : 0
        }
        if let read = current.take() { self.positions[read] = position }
        self.keepFetching(batch.queued, client)
        return ReaderBatch(records: records, positions: self.positions)
    }

    /// Makes librdkafka fetch again before its queue has run dry.
    ///
    /// Once its queue is full (`queued.min.messages`), it looks again after a second, however soon the queue is empty,
    /// or when it hears from the broker. So this asks the broker for something.
    private func keepFetching(_ queued: Int, _ client: KafkaClient) {
        if queued > 40_000 { self.hasBeenFull = true }
        guard self.hasBeenFull, queued < 20_000 else { return }
        self.hasBeenFull = false
        let list = PartitionList(self.positions.keys.lazy.map { ($0, Int64(RD_KAFKA_OFFSET_END)) })
        // The answer does not matter: reading continues without it as well.
        _ = rd_kafka_offsets_for_times(client.handle, list.pointer, 1_000)
    }

    nonisolated func close() async {
        _ = await Watchdog.run(limit: self.configuration.closeTimeout + .seconds(2)) {
            await self.shutDown()
            await self.thread.stop()
        }
    }

    private func shutDown() {
        if case .open(let client) = self.state { rd_kafka_assign(client.handle, nil) }
        self.state = .closed
    }

    /// Handles an error in place of a record.
    private func check(_ message: UnsafeMutablePointer<rd_kafka_message_t>, _ client: KafkaClient) throws(LogError) {
        let code = message.pointee.err
        let text = rd_kafka_message_errstr(message).map { String(cString: $0) } ?? ""
        // librdkafka looks for the coordinator of the group that it required, and reports when it may not; reading
        // continues without it.
        if code == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED { return }
        switch LogError.code(of: code) {
        case .offsetOutOfRange, .unknownTopic, .notAuthorized, .configuration:
            throw LogError(LogError.code(of: code), "reading \(self.topics.topicPartition(of: message)): \(text)")
        case .unreadable:
            // librdkafka keeps trying, forever.
            let topicPartition = self.topics.topicPartition(of: message)
            let count = self.unreadable.record(topicPartition, offset: message.pointee.offset, at: OwnThread.uptime)
            if let count { client.context.log(unreadable: topicPartition, message, count: count) }
        default:
            // librdkafka recovers by itself.
            client.context.logger.info("\(text)", metadata: [TelemetryKey.errorType: "\(code.text)"])
        }
    }
}

extension rd_kafka_message_t {
    /// Whether its key begins with these bytes; a null begins with none.
    fileprivate func hasKey(beginning prefix: [UInt8]) -> Bool {
        guard !prefix.isEmpty else { return true }
        guard let key = self.key, self.key_len >= prefix.count else { return false }
        return memcmp(key, prefix, prefix.count) == 0
    }
}
