import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// A transaction that a client leaves open blocks readers only for a bounded time, and can be seen meanwhile.
struct OpenTransactionTests {
    private func leaveOpen(_ broker: inout BrokerHarness, timeoutMs: Int32) throws -> (id: Int64, epoch: Int16) {
        try broker.create()
        let producer = try broker.initialize("x", timeoutMs: timeoutMs)
        #expect(try broker.begin("x", producer) == .none)
        let records = RecordBatch.produced(
            [.init(key: "open", value: "1")],
            producerID: producer.id,
            epoch: producer.epoch,
            sequence: 0,
            isTransactional: true
        )
        #expect(try broker.produce(records).errorCode == .none)
        _ = try broker.produce(RecordBatch.produced([.init(key: "behind", value: "2")]))
        #expect(try broker.keys() == [])
        return producer
    }

    @Test(
        "A transaction is aborted after the maximum timeout, whatever its producer asks for",
        arguments: [60_000, .max]
    )
    func boundsTimeoutThatProducerAsksFor(timeoutMs: Int32) throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                let producer = try self.leaveOpen(&broker, timeoutMs: timeoutMs)
                #expect(broker.core.notices.pending == [.timeoutShortened("x", asked: Int64(timeoutMs), given: 15_000)])
                try broker.pass(.milliseconds(14_999))
                #expect(try broker.keys() == [])
                try broker.pass(.milliseconds(1))
                #expect(try broker.keys() == ["behind"])
                let t0 = TopicPartition(topic: "t", partition: 0)
                #expect(broker.core.notices.pending.last == .transactionAborted("x", partitions: [t0], after: 15_000))
                #expect(try broker.end("x", producer, commit: true) == .producerFenced)
            }
        }
    }

    @Test("A transaction that is found late counts as open until it is found")
    func countsTransactionOpenUntilFound() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                _ = try self.leaveOpen(&broker, timeoutMs: 10_000)
                try broker.pass(.seconds(12))
                let t0 = TopicPartition(topic: "t", partition: 0)
                #expect(broker.core.notices.pending.last == .transactionAborted("x", partitions: [t0], after: 12_000))
            }
        }
    }

    @Test("A transaction that an earlier version left open for longer is aborted in time after a restart")
    func boundsOpenTransactionOfEarlierVersion() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.maxTransactionTimeout = .seconds(900) }) { broker throws in
                _ = try self.leaveOpen(&broker, timeoutMs: 600_000)
                try broker.pass(.seconds(60))
                #expect(try broker.keys() == [])
            }
            try BrokerHarness.run(path: path) { broker throws in
                try broker.pass(.seconds(15))
                #expect(try broker.keys() == ["behind"])
            }
        }
    }

    @Test func refusesNonPositiveTimeout() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                for timeout in [0, -1, .min] as [Int32] {
                    let request = InitProducerIDRequest(transactionalID: "x", transactionTimeoutMs: timeout)
                    let answer = try broker.ask(.initProducerID(request), InitProducerIDResponse.self)
                    #expect(answer.errorCode == .invalidTransactionTimeout)
                }
            }
        }
    }

    @Test("DescribeProducers, DescribeTransactions and ListTransactions show an open transaction (KIP-664)")
    func listsAndDescribesOpenTransaction() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                let producer = try self.leaveOpen(&broker, timeoutMs: 10_000)
                try broker.pass(.seconds(3))
                let partitions = DescribeProducersRequest(topics: [.init(name: "t", partitionIndexes: [0, 1, 9])])
                let producers = try broker.ask(.describeProducers(partitions), DescribeProducersResponse.self)
                let found = producers.topics[0].partitions
                #expect(found.map(\.errorCode) == [.none, .none, .unknownTopicOrPartition])
                #expect(found[0].activeProducers.map(\.producerID) == [producer.id])
                #expect(found[0].activeProducers.map(\.currentTxnStartOffset) == [0])
                #expect(found[1].activeProducers.isEmpty)
                let names = DescribeTransactionsRequest(transactionalIDs: ["x", "y"])
                let states = try broker.ask(.describeTransactions(names), DescribeTransactionsResponse.self)
                    .transactionStates
                #expect(states.map(\.errorCode) == [.none, .transactionalIDNotFound])
                #expect(states[0].transactionState == "Ongoing")
                #expect(states[0].transactionStartTimeMs == broker.now.wall - 3_000)
                #expect(states[0].topics.map(\.partitions) == [[0]])
                let ongoing = ListTransactionsRequest(stateFilters: ["Ongoing", "Nonsense"])
                let listed = try broker.ask(.listTransactions(ongoing), ListTransactionsResponse.self)
                #expect(listed.transactionStates.map(\.transactionalID) == ["x"])
                #expect(listed.unknownStateFilters == ["Nonsense"])
                #expect(try broker.end("x", producer, commit: true) == .none)
                let none = try broker.ask(.listTransactions(ongoing), ListTransactionsResponse.self)
                #expect(none.transactionStates.isEmpty)
            }
        }
    }
}
