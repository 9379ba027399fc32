import IntentLab
import NIOCore

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// Random producers against a broker and against the model, compared after each step: transactions, zombies, repeats
/// and gaps, offsets within transactions.
struct TransactionRun {
    private static let partitions = 2
    private static let names = ["a", "b", "c"]

    private let client: WireClient
    private let prefix: String
    private var run: ModelRun
    private var model = TransactionModel(partitions: Self.partitions)
    /// All instances so far; all but the latest of a name are zombies.
    private var handles: [TransactionModel.Handle] = []
    private var keys = 0

    private var topic: Name { "\(self.prefix)-log" }
    private var group: Name { "\(self.prefix)-offsets" }

    /// Runs this many steps with names of this prefix.
    static func compare(_ client: WireClient, prefix: String, seed: UInt64, steps: Int) async throws {
        var run = TransactionRun(client: client, prefix: prefix, run: ModelRun(seed: seed))
        try await run.prepare()
        for _ in 0..<steps {
            try await run.step()
            try await run.compare()
        }
    }

    private init(client: WireClient, prefix: String, run: ModelRun) {
        self.client = client
        self.prefix = prefix
        self.run = run
    }

    private mutating func prepare() async throws {
        let request = CreateTopicsRequest(topics: [
            .init(
                name: self.topic,
                numPartitions: Int32(Self.partitions),
                replicationFactor: 1,
                // The records' times are as old as this test.
                configs: [.init(name: "retention.ms", value: "-1")]
            )
        ])
        let created = try await self.client.ask(.createTopics, request, CreateTopicsResponse.self)
        try self.run.expect(created.topics[0].errorCode, among: [.none])
        for (key, type) in Self.names.map({ ("\(self.prefix)-\($0)", Int8(1)) }) + [(self.group, Int8(0))] {
            _ = try await ModelRun.settled(\FindCoordinatorResponse.errorCode) { [client] in
                let request = FindCoordinatorRequest(key: key, keyType: type)
                return try await client.ask(.findCoordinator, request, FindCoordinatorResponse.self)
            }
        }
        try await self.begin(Self.names[0])
    }

    private mutating func step() async throws {
        let name = Self.names[self.run.numbers.below(Self.names.count)]
        let current = self.model.transactions[name]?.current
        switch self.run.numbers.below(20) {
        case 0: try await self.begin(name)
        case 1: try await self.begin(nil)
        case 2..<5: try await self.add(self.anyone(current))
        case 5..<12: try await self.produce(self.anyone(current))
        case 12: try await self.produce(self.handles.last { $0.name == nil } ?? .init(name: nil, id: -1, epoch: -1))
        case 13: try await self.produce(.init(name: nil, id: -1, epoch: -1))
        case 14: try await self.addOffsets(self.anyone(current))
        case 15: try await self.hold(self.anyone(current))
        default: try await self.end(self.anyone(current))
        }
    }

    /// Usually the current instance, sometimes a former one.
    private mutating func anyone(_ current: TransactionModel.Handle?) -> TransactionModel.Handle {
        let named = self.handles.filter { $0.name != nil }
        if let current, !self.run.numbers.oneIn(8) { return current }
        return named[self.run.numbers.below(named.count)]
    }

    private func id(_ handle: TransactionModel.Handle) -> Name { "\(self.prefix)-\(handle.name ?? "")" }

    private mutating func begin(_ name: String?) async throws {
        let request = InitProducerIDRequest(
            transactionalID: name.map { "\(self.prefix)-\($0)" },
            transactionTimeoutMs: 60_000
        )
        let answer = try await ModelRun.settled(\InitProducerIDResponse.errorCode) { [client] in
            try await client.ask(.initProducerID, request, InitProducerIDResponse.self)
        }
        let handle = TransactionModel.Handle(name: name, id: answer.producerID, epoch: answer.producerEpoch)
        self.run.record("begin \(handle)")
        try self.run.expect(answer.errorCode, among: [.none])
        let isFresh = self.handles.allSatisfy { $0.id != handle.id || ($0.name == name && $0.epoch < handle.epoch) }
        guard isFresh else { throw self.run.mismatch("\(handle) was given out before") }
        self.handles.append(handle)
        self.model.begin(handle)
    }

    private mutating func add(_ handle: TransactionModel.Handle) async throws {
        let wanted = self.run.numbers.oneIn(4) ? Set(0..<Self.partitions) : [self.run.numbers.below(Self.partitions)]
        self.run.record("add \(wanted) to \(handle)")
        let request = AddPartitionsToTxnRequest(
            transactionalID: self.id(handle),
            producerID: handle.id,
            producerEpoch: handle.epoch,
            topics: [.init(name: self.topic, partitions: wanted.sorted().map(Int32.init))]
        )
        let answer = try await ModelRun.settled(
            { (answer: AddPartitionsToTxnResponse) in
                answer.topics.first?.partitions.first?.errorCode ?? .none
            },
            { [client] in
                try await client.ask(.addPartitionsToTxn, request, AddPartitionsToTxnResponse.self)
            }
        )
        let allowed = self.model.add(wanted, to: handle)
        for partition in answer.topics.flatMap(\.partitions) {
            try self.run.expect(partition.errorCode, among: allowed)
        }
    }

    private mutating func produce(_ handle: TransactionModel.Handle) async throws {
        let partition = self.run.numbers.below(Self.partitions)
        let known = self.model.logs[partition].sequences[handle.id]
        var sequence: Int32 = handle.id < 0 ? -1 : 0
        var count = 1 + self.run.numbers.below(3)
        if let known, known.epoch == handle.epoch, !known.batches.isEmpty {
            sequence = known.next
            switch self.run.numbers.below(8) {
            case 0:
                let earlier = known.batches[max(0, known.batches.count - 1 - self.run.numbers.below(5))]
                (sequence, count) = (earlier.first, Int(earlier.count))
            case 1: sequence += 1 + Int32(self.run.numbers.below(3))
            default: break
            }
        }
        let keys = (0..<count).map { "k\(self.keys + $0)" }
        self.keys += count
        self.run.record("produce \(keys) to \(partition) by \(handle), sequence \(sequence)")
        let records = RecordBatch.produced(
            keys.map { .init(key: $0, value: "v") },
            baseTimestamp: 1_790_000_000_000,
            producerID: handle.id,
            epoch: handle.epoch,
            sequence: sequence,
            isTransactional: handle.name != nil
        )
        let request = ProduceRequest(
            transactionalID: handle.name == nil ? nil : self.id(handle),
            acks: -1,
            timeoutMs: 5_000,
            topics: [.init(name: self.topic, partitions: [.init(index: Int32(partition), records: records)])]
        )
        let answer = try await ModelRun.settled(
            { (answer: ProduceResponse) in
                answer.responses[0].partitions[0].errorCode
            },
            { [client] in
                try await client.ask(.produce, request, ProduceResponse.self)
            }
        )
        let result = answer.responses[0].partitions[0]
        let wanted = self.model.produce(keys, to: partition, by: handle, sequence: sequence)
        try self.run.expect(result.errorCode, among: wanted.codes)
        if let offset = wanted.offset, result.baseOffset != offset {
            throw self.run.mismatch("the broker appends at \(result.baseOffset), the model at \(offset)")
        }
    }

    private mutating func addOffsets(_ handle: TransactionModel.Handle) async throws {
        self.run.record("add offsets to \(handle)")
        let request = AddOffsetsToTxnRequest(
            transactionalID: self.id(handle),
            producerID: handle.id,
            producerEpoch: handle.epoch,
            groupID: self.group
        )
        let answer = try await ModelRun.settled(\AddOffsetsToTxnResponse.errorCode) { [client] in
            try await client.ask(.addOffsetsToTxn, request, AddOffsetsToTxnResponse.self)
        }
        try self.run.expect(answer.errorCode, among: self.model.addOffsets(to: handle))
    }

    private mutating func hold(_ handle: TransactionModel.Handle) async throws {
        let partition = self.run.numbers.below(Self.partitions)
        let offset = Int64(self.run.numbers.below(1_000))
        self.run.record("hold \(offset) of \(partition) by \(handle)")
        let offsets = [TxnOffsetCommitRequest.Topic.Partition(partitionIndex: Int32(partition), offset: offset)]
        let request = TxnOffsetCommitRequest(
            transactionalID: self.id(handle),
            groupID: self.group,
            producerID: handle.id,
            producerEpoch: handle.epoch,
            topics: [.init(name: self.topic, partitions: offsets)]
        )
        let answer = try await ModelRun.settled(
            { (answer: TxnOffsetCommitResponse) in
                answer.topics[0].partitions[0].errorCode
            },
            { [client] in
                try await client.ask(.txnOffsetCommit, request, TxnOffsetCommitResponse.self)
            }
        )
        let allowed = self.model.hold(offset, partition: partition, by: handle)
        try self.run.expect(answer.topics[0].partitions[0].errorCode, among: allowed)
    }

    private mutating func end(_ handle: TransactionModel.Handle) async throws {
        let isCommit = !self.run.numbers.oneIn(3)
        self.run.record("\(isCommit ? "commit" : "abort") by \(handle)")
        let request = EndTxnRequest(
            transactionalID: self.id(handle),
            producerID: handle.id,
            producerEpoch: handle.epoch,
            committed: isCommit
        )
        let answer = try await ModelRun.settled(\EndTxnResponse.errorCode) { [client] in
            try await client.ask(.endTxn, request, EndTxnResponse.self)
        }
        try self.run.expect(answer.errorCode, among: self.model.end(handle, isCommit: isCommit))
    }

    private func compare() async throws {
        for (number, log) in self.model.logs.enumerated() {
            func problem(_ view: PartitionView) -> String? {
                if view.highWatermark != log.end { return "ends at \(view.highWatermark), not \(log.end)" }
                if view.lastStable != log.lastStable { return "is stable to \(view.lastStable), not \(log.lastStable)" }
                if view.keys != log.committedKeys { return "gives \(view.keys), not \(log.committedKeys)" }
                let all = Set(
                    log.aborted.map {
                        AbortedTransaction(producerID: $0.producer, firstOffset: $0.first, lastOffset: 0)
                    }
                )
                let needed = Set(
                    log.abortedBelowStable.map {
                        AbortedTransaction(producerID: $0.producer, firstOffset: $0.first, lastOffset: 0)
                    }
                )
                let isRight = needed.isSubset(of: view.aborted) && view.aborted.isSubset(of: all)
                return isRight ? nil : "names \(view.aborted) as aborted, not \(needed)"
            }
            let view = try await ModelRun.eventually(
                { problem($0) == nil },
                { [client, topic] in
                    try await PartitionView.read(client, topic, number)
                }
            )
            if let problem = problem(view) { throw self.run.mismatch("partition \(number) \(problem)") }
        }
        try await self.compareOffsets(requireStable: false)
        try await self.compareOffsets(requireStable: true)
    }

    private func compareOffsets(requireStable: Bool) async throws {
        let partitions = (0..<Self.partitions).map(Int32.init)
        let request = OffsetFetchRequest(
            groupID: self.group,
            topics: [.init(name: self.topic, partitionIndexes: partitions)],
            requireStable: requireStable
        )
        func problem(_ answer: OffsetFetchResponse) -> String? {
            for partition in answer.topics.flatMap(\.partitions) {
                let number = Int(partition.partitionIndex)
                let isPending = requireStable && self.model.pending.contains(number)
                let code: ErrorCode = isPending ? .unstableOffsetCommit : .none
                let offset = isPending ? -1 : self.model.committed[number] ?? -1
                guard partition.errorCode != code || partition.offset != offset else { continue }
                return "the offset of \(number) is \(partition.offset) (\(partition.errorCode.rawValue)), "
                    + "the model says \(offset) (\(code.rawValue))"
            }
            return nil
        }
        let answer = try await ModelRun.eventually(
            { problem($0) == nil },
            { [client] in
                try await client.ask(.offsetFetch, request, OffsetFetchResponse.self)
            }
        )
        if let problem = problem(answer) { throw self.run.mismatch(problem) }
    }
}
