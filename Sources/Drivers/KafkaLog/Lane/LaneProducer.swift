import CRDKafka
import IntentRuntime

/// The producing half of a lane; used on the lane's thread only.
final class LaneProducer {
    /// The librdkafka producer.
    let client: KafkaClient
    private let writer: RecordWriter
    private let pauseAfterCommit: Duration
    private var lastCommit: ContinuousClock.Instant?

    /// Makes a producer; when this returns, a transactional one has fenced older ones of its name.
    /// - Throws: ``LogError``, `configuration`, `unavailable`, `notAuthorized`.
    init(_ configuration: KafkaLog.Configuration, lane: LaneConfiguration) throws(LogError) {
        let role = "\(lane.group)-\(lane.name)-producer"
        var properties = ClientProperties(configuration, laneRole: role)
        properties["enable.idempotence"] = "true"
        properties["retry.backoff.ms"] = "2"
        // A batch is written at once, and none of it is sent before its partitions belong to the transaction. So
        // lingering would gather nothing more, and would only delay records until the commit.
        properties["linger.ms"] = "0"
        properties["message.max.bytes"] = "8388608"
        // On the loopback interface compression gains nothing, and the embedded broker would decompress batches to
        // check them. The topics that the lane names are neither compacted nor large in any other way.
        properties["compression.type"] = "none"
        if lane.delivery == .exactlyOnce {
            properties["transactional.id"] = LaneConfiguration.transactionalID(
                group: lane.group,
                name: lane.name
            )
            properties["transaction.timeout.ms"] = "\(lane.transactionTimeout)"
        } else {
            properties["message.timeout.ms"] = "\(lane.transactionTimeout)"
        }
        let context = ClientContext(configuration, role: role, of: lane.name)
        self.client = try KafkaClient(RD_KAFKA_PRODUCER, properties: properties, context: context) { configuration in
            // Called on the lane's thread, within flush, commit and abort. Without a callback each flush would poll in
            // steps of 10 ms.
            rd_kafka_conf_set_dr_msg_cb(configuration) { _, message, opaque in
                guard let code = message?.pointee.err, !code.isSuccess else { return }
                // Purged: aborting a transaction discards its records.
                guard code != RD_KAFKA_RESP_ERR__PURGE_QUEUE, code != RD_KAFKA_RESP_ERR__PURGE_INFLIGHT else { return }
                ClientContext.of(opaque)?.record(refusal: code)
            }
        }
        self.pauseAfterCommit = lane.delivery == .exactlyOnce ? configuration.pauseAfterCommit : .zero
        let isChosen = ["compression.type", "compression.codec"].contains { configuration.properties[$0] != nil }
        self.writer = RecordWriter(
            client: self.client,
            requestTimeout: configuration.requestTimeout,
            compressedTopics: isChosen ? [] : lane.compressedTopics
        )
        if lane.delivery == .exactlyOnce {
            let id = LaneConfiguration.transactionalID(group: lane.group, name: lane.name)
            try self.fenceOlderProducers(of: id, timeout: configuration.requestTimeout)
        }
    }

    /// How long the broker may take to end the last transaction of a transactional id: it takes milliseconds where
    /// nothing is wrong.
    private static let endTimeout = Duration.seconds(3)
    /// How long one call waits for the broker; librdkafka asks again every 500 ms, and says why only when a call ends.
    private static let callTime = Duration.seconds(1)

    /// Fences older producers of the same transactional id and ends their transactions.
    private func fenceOlderProducers(of id: String, timeout: Duration) throws(LogError) {
        let begin = ContinuousClock.now
        let deadline = begin + timeout
        var lastOtherAnswer = begin
        while true {
            let wait = max(min(deadline.remaining, Self.callTime), .milliseconds(1))
            guard let error = rd_kafka_init_transactions(self.client.handle, wait.milliseconds) else { return }
            let failure = TransactionFailure(taking: error, stage: .open)
            if failure.code == RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS {
                let held = ContinuousClock.now - lastOtherAnswer
                if held >= Self.endTimeout || deadline.remaining <= .zero {
                    throw LogError(
                        .transactionHeld,
                        "the broker does not release the transactional id '\(id)': its last transaction has not ended",
                        isRetriable: true
                    )
                }
            } else {
                lastOtherAnswer = .now
            }
            guard failure.isRetriable, !failure.isFatal, deadline.remaining > .zero else {
                rd_kafka_poll(self.client.handle, 0)
                throw self.client.failure(failure.code, "taking over the transactional id")
            }
        }
    }

    /// Checks that every record's partition exists.
    /// - Throws: ``LogError``, `unknownTopic` or `unavailable`.
    func prepare(_ records: [OutgoingRecord]) throws(LogError) { try self.writer.prepare(records) }

    /// Queues all records.
    func write(_ records: [OutgoingRecord]) throws(TransactionFailure) {
        // By index: iterating would copy each record's parts.
        for index in records.indices {
            let code = self.writer.write(records[index])
            guard code.isSuccess else { throw TransactionFailure(refused: code) }
        }
    }

    /// Serves the callbacks that have come since the last commit: without this an idle lane's statistics would pile up.
    func serve() { rd_kafka_poll(self.client.handle, 0) }

    /// Waits until the broker is ready for the next transaction; not at all when the lane was idle.
    func waitAfterCommit() {
        guard let last = self.lastCommit else { return }
        let rest = self.pauseAfterCommit - last.duration(to: .now)
        if rest > .zero { OwnThread.sleep(rest) }
    }

    func recordCommit() { self.lastCommit = .now }
}
