import CRDKafka
import IntentEvents
import IntentRuntime
import IntentLab

@testable import KafkaLog

/// A client's transaction on a broker, left open until it is ended; on a thread of its own, because the calls block.
actor TestTransaction: ClientTransaction {
    private let thread = OwnThread(name: "test-transaction")
    private let configuration: KafkaLog.Configuration
    private var producer: LaneProducer?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        self.thread.asUnownedSerialExecutor()
    }

    /// Creates a client with a transactional id of its own.
    init(_ configuration: KafkaLog.Configuration) {
        self.configuration = configuration
    }

    /// Begins, and returns when the broker has the records.
    func begin(_ records: [OutgoingRecord]) throws {
        let name: LaneName = "client-\(UInt32.random(in: 0 ... .max))"
        var lane = LaneConfiguration(group: "tests", topics: [], name: name)
        lane.transactionTimeout = 14_000
        let producer = try LaneProducer(self.configuration, lane: lane)
        self.producer = producer
        try Self.check(rd_kafka_begin_transaction(producer.client.handle))
        try producer.prepare(records)
        try producer.write(records)
        let code = rd_kafka_flush(producer.client.handle, 10_000)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(.other, "flush: \(code.text)") }
    }

    func commit() throws {
        guard let producer = self.producer else { return }
        try Self.check(rd_kafka_commit_transaction(producer.client.handle, 10_000))
        self.producer = nil
    }

    func abort() throws {
        try self.producer?.abort(deadline: .now + .seconds(10))
        self.producer = nil
    }

    private static func check(_ error: OpaquePointer?) throws {
        guard let error else { return }
        throw TransactionFailure(taking: error, stage: .open)
    }
}
