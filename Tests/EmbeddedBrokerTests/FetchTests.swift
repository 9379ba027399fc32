import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

@Suite("What Fetch returns, and when")
struct FetchTests {
    private static func batch(_ key: String, of producer: (id: Int64, epoch: Int16)) -> ByteBuffer {
        RecordBatch.produced(
            [.init(key: key, value: "1")],
            producerID: producer.id,
            epoch: producer.epoch,
            sequence: 0,
            isTransactional: true
        )
    }

    private func run(_ body: (inout BrokerHarness) throws -> Void) throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                try body(&broker)
            }
        }
    }

    @Test("Records of an open transaction wake only readers of uncommitted records")
    func openTransactionsWakeUncommittedReaders() throws {
        try self.run { broker in
            let producer = try broker.initialize("x")
            #expect(try broker.begin("x", producer) == .none)
            let uncommitted = try broker.send(.fetch(BrokerHarness.fetch(committedOnly: false, maxWaitMs: 60_000)))
            let committed = try broker.send(.fetch(BrokerHarness.fetch(maxWaitMs: 60_000)))
            #expect(try broker.produce(Self.batch("a", of: producer)).errorCode == .none)
            let answer = broker.answer(uncommitted, FetchResponse.self)
            #expect(answer?.responses[0].partitions[0].records.isEmpty == false)
            #expect(broker.answer(committed, FetchResponse.self) == nil)
            #expect(try broker.end("x", producer, commit: true) == .none)
            #expect(broker.answer(committed, FetchResponse.self) != nil)
        }
    }

    @Test("An error is answered at once, however long the reader would wait")
    func answersErrorsAtOnce() throws {
        try self.run { broker in
            let token = try broker.send(.fetch(BrokerHarness.fetch("missing", maxWaitMs: 60_000)))
            let answer = broker.answer(token, FetchResponse.self)
            #expect(answer?.responses[0].partitions[0].errorCode == .unknownTopicOrPartition)
        }
    }

    @Test("Only the first batch of the first partition may exceed the requested size")
    func laterPartitionsKeepSizeLimit() throws {
        try self.run { broker in
            let records = RecordBatch.produced([.init(key: "k", value: String(repeating: "v", count: 500))])
            for partition in [0, 1] as [Int32] {
                #expect(try broker.produce(records, partition: partition).errorCode == .none)
            }
            var request = BrokerHarness.fetch(maxBytes: 600)
            request.topics[0].partitions = [0, 1]
                .map { .init(partition: $0, fetchOffset: 0, partitionMaxBytes: 600) }
            let partitions = try broker.ask(.fetch(request), FetchResponse.self).responses[0].partitions
            #expect(partitions.map(\.records.count) == [1, 0])
            request.topics[0].partitions[0].partitionMaxBytes = 1
            let large = try broker.ask(.fetch(request), FetchResponse.self).responses[0].partitions
            #expect(large.map(\.records.count) == [1, 0])
        }
    }

    @Test("An aborted transaction is listed with its last batch, also when that is the only one in the response")
    func listsAbortedTransactionWithItsLastBatch() throws {
        try self.run { broker in
            let producer = try broker.initialize("x")
            #expect(try broker.begin("x", producer) == .none)
            #expect(try broker.produce(Self.batch("a", of: producer)).errorCode == .none)
            #expect(try broker.end("x", producer, commit: false) == .none)
            let answer = try broker.ask(.fetch(BrokerHarness.fetch(maxBytes: 1)), FetchResponse.self)
            let partition = answer.responses[0].partitions[0]
            #expect(partition.records.count == 1)
            #expect(partition.abortedTransactions?.map(\.firstOffset) == [0])
        }
    }
}
