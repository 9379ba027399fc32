import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct PartitionLogTests {
    private let now = BrokerTime(monotonic: 0, wall: 1_000)

    private func batch(sequence: Int32, count: Int = 1, epoch: Int16 = 0, isTransactional: Bool = false) throws
        -> RecordBatch
    {
        try RecordBatch.make(count, producerID: 7, epoch: epoch, sequence: sequence, isTransactional: isTransactional)
    }

    @Test func repeatsOfLastFiveBatchesGetFirstOffsets() throws {
        var log = PartitionLog(id: 1)
        for sequence in stride(from: Int32(0), to: 14, by: 2) {
            _ = try log.append(try self.batch(sequence: sequence, count: 2), at: self.now)
        }
        #expect(log.endOffset == 14)
        for sequence in stride(from: Int32(4), to: 14, by: 2) {
            guard
                case .duplicate(let earlier) = try log.append(
                    try self.batch(sequence: sequence, count: 2),
                    at: self.now
                )
            else {
                Issue.record("\(sequence) was appended again")
                continue
            }
            #expect(earlier.baseOffset == Int64(sequence))
        }
        #expect(log.endOffset == 14)
        #expect(throws: AppendRefusal(code: .outOfOrderSequenceNumber)) {
            try log.append(try self.batch(sequence: 2, count: 2), at: self.now)
        }
    }

    @Test func refusesSequenceGap() throws {
        var log = PartitionLog(id: 1)
        _ = try log.append(try self.batch(sequence: 0), at: self.now)
        #expect(throws: AppendRefusal(code: .outOfOrderSequenceNumber)) {
            try log.append(try self.batch(sequence: 2), at: self.now)
        }
    }

    @Test func sequenceNumbersWrapToZero() throws {
        var log = PartitionLog(id: 1)
        _ = try log.append(try self.batch(sequence: .max), at: self.now)
        _ = try log.append(try self.batch(sequence: 0), at: self.now)
        #expect(log.endOffset == 2)
    }

    @Test func newEpochStartsAtZeroAndFencesOld() throws {
        var log = PartitionLog(id: 1)
        _ = try log.append(try self.batch(sequence: 5), at: self.now)
        #expect(throws: AppendRefusal(code: .outOfOrderSequenceNumber)) {
            try log.append(try self.batch(sequence: 6, epoch: 1), at: self.now)
        }
        _ = try log.append(try self.batch(sequence: 0, epoch: 1), at: self.now)
        #expect(throws: AppendRefusal(code: .invalidProducerEpoch)) {
            try log.append(try self.batch(sequence: 6), at: self.now)
        }
    }

    @Test func lastStableOffsetIsFirstOpenOne() throws {
        var log = PartitionLog(id: 1)
        _ = try log.append(try RecordBatch.make(3), at: self.now)
        _ = try log.append(try self.batch(sequence: 0, isTransactional: true), at: self.now)
        _ = try log.append(try RecordBatch.make(2), at: self.now)
        #expect(log.lastStableOffset == 3)
        #expect(log.endOffset == 6)
        _ = log.end(producerID: 7, producerEpoch: 0, with: .commit, at: self.now)
        #expect(log.lastStableOffset == 7)
        #expect(log.aborted.isEmpty)
    }

    @Test func findsAbortedTransactionsByRange() throws {
        var log = PartitionLog(id: 1)
        for round in 0..<3 {
            _ = try log.append(try self.batch(sequence: Int32(round), isTransactional: true), at: self.now)
            _ = log.end(producerID: 7, producerEpoch: 0, with: round == 1 ? .commit : .abort, at: self.now)
        }
        let first = AbortedTransaction(producerID: 7, firstOffset: 0, lastOffset: 1)
        let last = AbortedTransaction(producerID: 7, firstOffset: 4, lastOffset: 5)
        #expect(log.aborted(from: 0, upTo: 6) == [first, last])
        #expect(log.aborted(from: 1, upTo: 4) == [first])
        #expect(log.aborted(from: 2, upTo: 4).isEmpty)
        #expect(log.aborted(from: 5, upTo: 6) == [last])
        // One of which a part is left is still needed: its first record is gone, and its others are not.
        for (start, left) in [(1, [first, last]), (2, [last]), (5, [last]), (6, [])] as [(Int64, [AbortedTransaction])]
        {
            let isMoved = log.moveStart(to: start)
            #expect(isMoved)
            #expect(log.aborted == left, "\(start)")
        }
    }

    @Test func refusesOtherDataInsideTransaction() throws {
        var log = PartitionLog(id: 1)
        _ = try log.append(try self.batch(sequence: 0, isTransactional: true), at: self.now)
        #expect(throws: AppendRefusal(code: .invalidTransactionState)) {
            try log.append(try self.batch(sequence: 1), at: self.now)
        }
    }

    @Test func forgetsSilentProducersButNotOpenOnes() throws {
        var log = PartitionLog(id: 1)
        _ = try log.append(try self.batch(sequence: 0), at: self.now)
        _ = try log.append(
            try RecordBatch.make(producerID: 8, epoch: 0, sequence: 0, isTransactional: true),
            at: self.now
        )
        #expect(log.expireProducers(before: 1_001) == [7])
        #expect(log.producers.keys.sorted() == [8])
    }
}
