import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct TransactionTests {
    private func batch(_ key: String, _ producer: (id: Int64, epoch: Int16), _ sequence: Int32) -> ByteBuffer {
        RecordBatch.produced(
            [.init(key: key, value: "v")],
            producerID: producer.id,
            epoch: producer.epoch,
            sequence: sequence,
            isTransactional: true
        )
    }

    @Test func deliversOnlyCommittedRecords() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                for (sequence, (key, commit)) in [("a", true), ("b", false), ("c", true)].enumerated() {
                    #expect(try broker.begin("x", producer) == .none)
                    #expect(try broker.produce(self.batch(key, producer, Int32(sequence))).errorCode == .none)
                    #expect(try broker.end("x", producer, commit: commit) == .none)
                }
                #expect(try broker.keys() == ["a", "c"])
                #expect(try broker.keys(committedOnly: false) == ["a", "b", "c"])
            }
        }
    }

    @Test func repeatedEndSucceedsAndDifferentOneFails() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                #expect(try broker.end("x", producer, commit: true) == .invalidTransactionState)
                _ = try broker.begin("x", producer)
                #expect(try broker.end("x", producer, commit: true) == .none)
                #expect(try broker.end("x", producer, commit: true) == .none)
                #expect(try broker.end("x", producer, commit: false) == .invalidTransactionState)
            }
        }
    }

    @Test func newInstanceFencesOldOne() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let old = try broker.initialize("x")
                _ = try broker.begin("x", old)
                _ = try broker.produce(self.batch("old", old, 0))
                let new = try broker.initialize("x")
                #expect(new.id == old.id && new.epoch == old.epoch + 1)
                #expect(try broker.begin("x", old) == .producerFenced)
                #expect(try broker.end("x", old, commit: true) == .producerFenced)
                #expect(try broker.produce(self.batch("zombie", old, 1)).errorCode == .invalidProducerEpoch)
                _ = try broker.begin("x", new)
                #expect(try broker.produce(self.batch("new", new, 0)).errorCode == .none)
                #expect(try broker.end("x", new, commit: true) == .none)
                #expect(try broker.keys() == ["new"])
            }
        }
    }

    @Test func refusesProducingOutsideTransaction() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                #expect(try broker.produce(self.batch("a", producer, 0)).errorCode == .invalidTransactionState)
                _ = try broker.begin("x", producer)
                #expect(
                    try broker.produce(self.batch("a", producer, 0), partition: 1).errorCode
                        == .invalidTransactionState
                )
            }
        }
    }

    @Test func abortsExpiredTransactionAndFencesProducer() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x", timeoutMs: 1_000)
                _ = try broker.begin("x", producer)
                _ = try broker.produce(self.batch("late", producer, 0))
                try broker.pass(.milliseconds(999))
                #expect(try broker.read().lastStableOffset == 0)
                try broker.pass(.milliseconds(1))
                #expect(try broker.read().lastStableOffset == 2)
                #expect(try broker.keys() == [])
                #expect(try broker.end("x", producer, commit: true) == .producerFenced)
            }
        }
    }

    @Test func openTransactionSurvivesRestartAndCommits() throws {
        try withTemporaryFile { path in
            let producer = try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                _ = try broker.begin("x", producer)
                _ = try broker.produce(self.batch("a", producer, 0))
                return producer
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try broker.read().lastStableOffset == 0)
                #expect(try broker.produce(self.batch("a", producer, 0)).baseOffset == 0)
                #expect(try broker.produce(self.batch("b", producer, 1)).baseOffset == 1)
                #expect(try broker.end("x", producer, commit: true) == .none)
                #expect(try broker.keys() == ["a", "b"])
            }
        }
    }

    @Test func abortedStaysAbortedAfterRestart() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let first = try broker.initialize("x")
                _ = try broker.begin("x", first)
                _ = try broker.produce(self.batch("aborted", first, 0))
                _ = try broker.end("x", first, commit: false)
                let second = try broker.initialize("y", timeoutMs: 1_000)
                _ = try broker.begin("y", second)
                _ = try broker.produce(self.batch("abandoned", second, 0))
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try broker.read().lastStableOffset == 2)
                try broker.pass(.seconds(1))
                #expect(try broker.read().lastStableOffset == 4)
                #expect(try broker.keys() == [])
                #expect(try broker.read().abortedTransactions?.count == 2)
            }
        }
    }

    @Test func neverReusesProducerIDs() throws {
        try withTemporaryFile { path in
            let first = try BrokerHarness.run(path: path) { try $0.initialize("x").id }
            let second = try BrokerHarness.run(path: path) { try $0.initialize("y").id }
            #expect(second > first)
        }
    }
}
