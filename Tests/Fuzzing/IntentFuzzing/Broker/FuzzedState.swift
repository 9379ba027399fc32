#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

/// The content of the fuzzed broker before the first frame: names of one or two letters, so that frames find them.
enum FuzzedState {
    /// Creates topics, members, producers and an open transaction.
    static func prepare(_ core: inout BrokerCore, at now: BrokerTime) throws {
        var sequence: UInt64 = 0
        func send(_ request: Request, _ api: ApiKey) throws {
            sequence += 1
            let context = RequestContext(
                token: ReplyToken(connection: 0, sequence: sequence),
                version: api.versions.upperBound,
                clientID: "",
                clientHost: "/127.0.0.1"
            )
            try core.handle(request, context, at: now)
            try core.finishRound()
            try core.store.commit()
            core.outbox.answers.removeAll()
        }
        let topics = CreateTopicsRequest(topics: [
            .init(name: "t", numPartitions: 2, replicationFactor: 1),
            .init(
                name: "c",
                numPartitions: 1,
                replicationFactor: 1,
                configs: [.init(name: "cleanup.policy", value: "compact")]
            ),
        ])
        try send(.createTopics(topics), .createTopics)
        for key in ["a", "b"] {
            let records = RecordBatch.produced([.init(key: key, value: "1"), .init(key: key, value: "2")])
            let partitions = [ProduceRequest.Topic.Partition(index: 0, records: records)]
            let produced = ProduceRequest(
                acks: -1,
                topics: [.init(name: "t", partitions: partitions), .init(name: "c", partitions: partitions)]
            )
            try send(.produce(produced), .produce)
        }
        core.groups.update("g") { group in
            for (id, instance) in [("m1", nil), ("m2", "i2")] as [(Name, Name?)] {
                let join = JoinGroupRequest(
                    groupID: "g",
                    sessionTimeoutMs: 10_000,
                    rebalanceTimeoutMs: 10_000,
                    groupInstanceID: instance,
                    protocolType: "consumer",
                    protocols: [.init(name: "range", metadata: ByteBuffer(string: "m"))]
                )
                let joining = ConsumerGroup.JoinContext(
                    token: ReplyToken(connection: 0, sequence: 1_000),
                    clientID: "",
                    clientHost: "",
                    requiresMemberID: false,
                    knowsSkipAssignment: true,
                    initialDelay: 1,
                    freshID: id
                )
                _ = group.join(join, joining, at: now)
            }
            var later = now
            later.monotonic += 1
            _ = group.tick(at: later)
            let token = ReplyToken(connection: 0, sequence: 1_000)
            for id in ["m2", "m1"] as [Name] {
                let sync = SyncGroupRequest(groupID: "g", generationID: group.generation, memberID: id)
                _ = group.sync(sync, token: token, at: now)
            }
        }
        // The transactional id x is producer 1, the idempotent one 2, the idle transactional id y 3.
        try send(
            .initProducerID(InitProducerIDRequest(transactionalID: "x", transactionTimeoutMs: 60_000)),
            .initProducerID
        )
        try send(.initProducerID(InitProducerIDRequest()), .initProducerID)
        try send(
            .initProducerID(InitProducerIDRequest(transactionalID: "y", transactionTimeoutMs: 60_000)),
            .initProducerID
        )
        let partitions = AddPartitionsToTxnRequest(
            transactionalID: "x",
            producerID: 1,
            producerEpoch: 0,
            topics: [.init(name: "t", partitions: [0, 1])]
        )
        try send(.addPartitionsToTxn(partitions), .addPartitionsToTxn)
        let offsets = AddOffsetsToTxnRequest(transactionalID: "x", producerID: 1, producerEpoch: 0, groupID: "g")
        try send(.addOffsetsToTxn(offsets), .addOffsetsToTxn)
        let inside = RecordBatch.produced(
            [.init(key: "k", value: "v")],
            producerID: 1,
            epoch: 0,
            sequence: 0,
            isTransactional: true
        )
        let produced = ProduceRequest(
            transactionalID: "x",
            acks: -1,
            topics: [.init(name: "t", partitions: [.init(index: 0, records: inside)])]
        )
        try send(.produce(produced), .produce)
    }
}
#endif
