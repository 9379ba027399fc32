import CRDKafka
import IntentRuntime

/// Writes records idempotently, and awaits their acknowledgement.
///
/// It queues records on a thread of its own, because that blocks while the queue is full; a second thread serves the
/// delivery reports.
actor KafkaProducer: LogProducer {
    /// The producer's librdkafka handles.
    private enum State {
        /// Not connected yet, or the last connection has failed for good.
        ///
        /// Goes to `open` or `closed`.
        case idle
        /// Goes to `idle` or `closed`.
        case open(KafkaClient, RecordWriter, ReportThread)
        /// Final.
        case closed
    }

    private let thread = OwnThread(name: "intentd-producer")
    private let configuration: KafkaLog.Configuration
    private var state = State.idle

    /// The producer's own thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { self.thread.asUnownedSerialExecutor() }

    /// Describes a producer that is not connected yet.
    init(_ configuration: KafkaLog.Configuration) { self.configuration = configuration }

    /// Connects.
    /// - Throws: ``LogError``, `unavailable`, `configuration`.
    func open() throws(LogError) {
        let (client, _) = try self.connection()
        _ = try client.topics(timeout: self.configuration.requestTimeout)
    }

    func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64] {
        guard !records.isEmpty else { return [] }
        let (client, writer) = try self.connection()
        try writer.prepare(records)
        let result = await withCheckedContinuation { continuation in
            let call = SendCall(count: records.count, continuation: continuation)
            for (index, record) in records.enumerated() {
                let ticket = call.makeTicket(index)
                let code = writer.write(record, opaque: ticket)
                if !code.isSuccess {
                    let error = client.failure(code, "record \(index) for \(record.topicPartition)")
                    SendCall.report(ticket, offset: -1, error: error)
                }
            }
        }
        return try result.get()
    }

    nonisolated func close() async {
        let reports = await self.shutDown()
        reports?.stop()
        await self.thread.stop()
    }

    private func shutDown() -> ReportThread? {
        guard case .open(let client, _, let reports) = self.state else {
            self.state = .closed
            return nil
        }
        self.state = .closed
        // The report thread gives up records that are not acknowledged by then, and tells their callers.
        rd_kafka_flush(client.handle, self.configuration.closeTimeout.milliseconds)
        return reports
    }

    /// The connection, made again if the last one has failed for good.
    private func connection() throws(LogError) -> (KafkaClient, RecordWriter) {
        switch self.state {
        case .closed:
            throw LogError(.closed, "the producer was closed")
        case .open(let client, let writer, _) where rd_kafka_fatal_error(client.handle, nil, 0).isSuccess:
            return (client, writer)
        case .open, .idle:
            var properties = ClientProperties(self.configuration, role: "producer")
            properties["enable.idempotence"] = "true"
            // Enough for the records of one call to travel together, without delaying a single one noticeably.
            properties["linger.ms"] = "1"
            properties["message.max.bytes"] = "8388608"
            properties["compression.type"] = "none"
            properties["message.timeout.ms"] = "\(self.configuration.requestTimeout.milliseconds)"
            let context = ClientContext(self.configuration, role: "producer")
            let client = try KafkaClient(RD_KAFKA_PRODUCER, properties: properties, context: context) {
                // Called on the report thread, or on the producer's own within flush and while its queue is full.
                rd_kafka_conf_set_dr_msg_cb($0) { _, message, opaque in
                    guard let content = message?.pointee, let ticket = content._private else { return }
                    var error: LogError?
                    if !content.err.isSuccess {
                        let brokers = ClientContext.of(opaque)?.brokers ?? ""
                        error = LogError(kafka: content.err, "a record was not written to \(brokers)")
                    }
                    SendCall.report(ticket, offset: content.offset, error: error)
                }
            }
            let writer = RecordWriter(client: client, requestTimeout: self.configuration.requestTimeout)
            self.state = .open(client, writer, ReportThread(client))
            return (client, writer)
        }
    }
}
