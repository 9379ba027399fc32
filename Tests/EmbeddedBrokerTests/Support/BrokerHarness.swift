import Foundation
import IntentLab
import NIOCore

@testable import EmbeddedBroker

/// A core on a file of its own, with a clock that only the test moves.
struct BrokerHarness {
    var core: BrokerCore
    var now: BrokerTime
    private var sequence: UInt64 = 0

    /// Runs the body on a core that has recovered from the file.
    static func run<Result>(
        path: String,
        at now: BrokerTime = BrokerTime(monotonic: 0, wall: 1_800_000_000_000),
        _ configure: (inout EmbeddedBroker.Configuration) -> Void = { _ in },
        _ body: (inout BrokerHarness) throws -> Result
    ) throws -> Result {
        var configuration = EmbeddedBroker.Configuration(path: path)
        configuration.defaultPartitions = 2
        configure(&configuration)
        return try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
            let core = try BrokerCore(
                store: store,
                configuration: configuration,
                address: .init(host: "localhost", port: 9_092),
                at: now
            )
            var harness = BrokerHarness(core: core, now: now)
            return try body(&harness)
        }
    }

    private init(core: BrokerCore, now: BrokerTime) {
        self.core = core
        self.now = now
    }

    /// Sends a request in a round of its own.
    @discardableResult
    mutating func send(_ request: Request, version: Int16? = nil, api: ApiKey = .fetch) throws -> ReplyToken {
        self.sequence += 1
        let token = ReplyToken(connection: 1, sequence: self.sequence)
        let context = RequestContext(
            token: token,
            version: version ?? api.versions.upperBound,
            clientID: "test",
            clientHost: "/127.0.0.1"
        )
        try self.core.handle(request, context, at: self.now)
        try self.finish()
        return token
    }

    /// Lets time pass.
    mutating func pass(_ duration: Duration) throws {
        self.now.monotonic += duration.milliseconds
        self.now.wall += duration.milliseconds
        let now = self.now
        try self.core.tick(at: now) { now.monotonic * 1_000 }
        try self.finish()
    }

    private mutating func finish() throws {
        try self.core.finishRound()
        try self.core.store.commit()
        try self.core.store.relieve()
    }

    /// Returns the answer to a request, if there is one yet.
    mutating func answer<Response>(_ token: ReplyToken, _: Response.Type) -> Response? {
        guard let index = self.core.outbox.answers.firstIndex(where: { $0.token == token }) else { return nil }
        return self.core.outbox.answers.remove(at: index).response as? Response
    }

    /// Sends a request and returns its answer.
    mutating func ask<Response>(_ request: Request, version: Int16? = nil, _ type: Response.Type) throws -> Response {
        let token = try self.send(request, version: version)
        guard let answer = self.answer(token, type) else { throw Missing() }
        return answer
    }

    /// There was no answer.
    struct Missing: Error {}
}

extension BrokerHarness {
    /// Produces one batch; returns the result.
    mutating func produce(
        _ records: ByteBuffer,
        to topic: Name = "t",
        partition: Int32 = 0,
        acks: Int16 = -1
    ) throws -> ProduceResponse.Topic.Partition {
        let request = ProduceRequest(
            acks: acks,
            topics: [.init(name: topic, partitions: [.init(index: partition, records: records)])]
        )
        return try self.ask(.produce(request), ProduceResponse.self).responses[0].partitions[0]
    }

    /// A Fetch of one partition.
    static func fetch(
        _ topic: Name = "t",
        from offset: Int64 = 0,
        committedOnly: Bool = true,
        maxWaitMs: Int32 = 0,
        maxBytes: Int32 = 1 << 20
    ) -> FetchRequest {
        FetchRequest(
            maxWaitMs: maxWaitMs,
            minBytes: 1,
            maxBytes: maxBytes,
            isolationLevel: committedOnly ? 1 : 0,
            topics: [.init(topic: topic, partitions: [.init(fetchOffset: offset, partitionMaxBytes: maxBytes)])]
        )
    }

    /// Reads partition 0 at once.
    mutating func read(
        _ topic: Name = "t",
        from offset: Int64 = 0,
        committedOnly: Bool = true
    ) throws -> FetchResponse.Topic.Partition {
        let request = Self.fetch(topic, from: offset, committedOnly: committedOnly)
        return try self.ask(.fetch(request), FetchResponse.self).responses[0].partitions[0]
    }

    /// The keys of the records that a consumer would receive.
    mutating func keys(_ topic: Name = "t", committedOnly: Bool = true) throws -> [String] {
        let result = try self.read(topic, committedOnly: committedOnly)
        var aborted = result.abortedTransactions ?? []
        var hidden: Set<Int64> = []
        var keys: [String] = []
        for bytes in result.records {
            guard let batch = RecordBatch(stored: bytes), let records = Record.records(in: batch) else { continue }
            let producer = batch.header.producerID
            for transaction in aborted where transaction.firstOffset <= batch.header.baseOffset {
                hidden.insert(transaction.producerID)
            }
            aborted.removeAll { $0.firstOffset <= batch.header.baseOffset }
            // As all consumers do: the marker ends the transaction, even where its records are gone.
            if batch.header.isControl {
                hidden.remove(producer)
                continue
            }
            if committedOnly, batch.header.isTransactional, hidden.contains(producer) { continue }
            keys += records.compactMap { $0.key.map { String(buffer: $0) } }
        }
        return keys
    }

    /// Initializes a transactional producer.
    mutating func initialize(_ name: Name, timeoutMs: Int32 = 10_000) throws -> (id: Int64, epoch: Int16) {
        let request = InitProducerIDRequest(transactionalID: name, transactionTimeoutMs: timeoutMs)
        let response = try self.ask(.initProducerID(request), InitProducerIDResponse.self)
        return (response.producerID, response.producerEpoch)
    }

    /// Adds partition 0 of a topic to a transaction.
    mutating func begin(_ name: Name, _ producer: (id: Int64, epoch: Int16), _ topic: Name = "t") throws
        -> ErrorCode
    {
        let request = AddPartitionsToTxnRequest(
            transactionalID: name,
            producerID: producer.id,
            producerEpoch: producer.epoch,
            topics: [.init(name: topic, partitions: [0])]
        )
        return try self.ask(.addPartitionsToTxn(request), AddPartitionsToTxnResponse.self)
            .topics[0].partitions[0].errorCode
    }

    /// Ends a transaction.
    mutating func end(_ name: Name, _ producer: (id: Int64, epoch: Int16), commit: Bool) throws -> ErrorCode {
        let request = EndTxnRequest(
            transactionalID: name,
            producerID: producer.id,
            producerEpoch: producer.epoch,
            committed: commit
        )
        return try self.ask(.endTxn(request), EndTxnResponse.self).errorCode
    }

    /// Creates a topic.
    mutating func create(_ topic: Name = "t", _ settings: [String: String] = [:]) throws {
        let request = CreateTopicsRequest(
            topics: [
                .init(
                    name: topic,
                    numPartitions: 2,
                    replicationFactor: 1,
                    configs: settings.map { .init(name: $0.key, value: $0.value) }
                )
            ]
        )
        _ = try self.ask(.createTopics(request), CreateTopicsResponse.self)
    }
}

/// Runs the body with the path of a file in a directory that is removed afterwards.
func withTemporaryFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory.appending(path: "broker.sqlite").path())
}
