@testable import EmbeddedBroker

/// What Kafka's documentation says about transactional ids: which instance is current, which transaction is open, and
/// how requests are answered (KIP-98, KIP-360, KIP-447, KIP-588, KIP-890's first part).
struct TransactionModel {
    /// An instance of a producer; an old one is a zombie.
    struct Handle: Equatable, CustomStringConvertible {
        var name: String?
        var id: Int64
        var epoch: Int16
        var description: String { "\(self.name ?? "-")/\(self.id)/\(self.epoch)" }
    }

    /// One transactional id.
    struct Transaction {
        var current: Handle
        var isOpen = false
        var partitions: Set<Int> = []
        var hasOffsets = false
        var held: [Int: Int64] = [:]
        /// Whether the last one ended with a commit; nil when this instance has ended none.
        var last: Bool?
    }

    var logs: [LogModel]
    private(set) var transactions: [String: Transaction] = [:]
    /// The group's committed offsets by partition.
    var committed: [Int: Int64] = [:]

    init(partitions: Int) { self.logs = Array(repeating: LogModel(), count: partitions) }

    /// The offsets that wait for a transaction to end.
    var pending: Set<Int> { Set(self.transactions.values.filter(\.isOpen).flatMap(\.held.keys)) }

    /// Whether a request of this instance is accepted.
    func isCurrent(_ handle: Handle) -> Bool {
        handle.name.flatMap { self.transactions[$0] }?.current == handle
    }

    /// A new instance: an open transaction is aborted.
    mutating func begin(_ handle: Handle) {
        guard let name = handle.name else { return }
        if self.transactions[name]?.isOpen == true { self.finish(name, isCommit: false, epoch: handle.epoch) }
        self.transactions[name] = Transaction(current: handle)
    }

    /// AddPartitionsToTxn.
    mutating func add(_ partitions: Set<Int>, to handle: Handle) -> Set<ErrorCode> {
        guard let name = handle.name, self.isCurrent(handle) else { return [.producerFenced] }
        self.transactions[name]?.isOpen = true
        self.transactions[name]?.partitions.formUnion(partitions)
        return [.none]
    }

    /// AddOffsetsToTxn.
    mutating func addOffsets(to handle: Handle) -> Set<ErrorCode> {
        guard let name = handle.name, self.isCurrent(handle) else { return [.producerFenced] }
        self.transactions[name]?.isOpen = true
        self.transactions[name]?.hasOffsets = true
        return [.none]
    }

    /// TxnOffsetCommit of a group without members.
    mutating func hold(_ offset: Int64, partition: Int, by handle: Handle) -> Set<ErrorCode> {
        guard let name = handle.name, self.isCurrent(handle) else { return [.invalidProducerEpoch, .producerFenced] }
        guard self.transactions[name]?.isOpen == true, self.transactions[name]?.hasOffsets == true else {
            return [.invalidTransactionState]
        }
        self.transactions[name]?.held[partition] = offset
        return [.none]
    }

    /// EndTxn.
    mutating func end(_ handle: Handle, isCommit: Bool) -> Set<ErrorCode> {
        guard let name = handle.name, self.isCurrent(handle), let transaction = self.transactions[name] else {
            return [.producerFenced]
        }
        guard transaction.isOpen else { return [transaction.last == isCommit ? .none : .invalidTransactionState] }
        self.finish(name, isCommit: isCommit, epoch: handle.epoch)
        return [.none]
    }

    private mutating func finish(_ name: String, isCommit: Bool, epoch: Int16) {
        guard var transaction = self.transactions[name] else { return }
        for partition in transaction.partitions {
            self.logs[partition].end(producer: transaction.current.id, epoch: epoch, isCommit: isCommit)
        }
        if isCommit { self.committed.merge(transaction.held) { $1 } }
        transaction.isOpen = false
        transaction.partitions = []
        transaction.hasOffsets = false
        transaction.held = [:]
        transaction.last = isCommit
        self.transactions[name] = transaction
    }

    /// Produce: the codes that may come, and the offset if the batch is accepted.
    mutating func produce(
        _ keys: [String],
        to partition: Int,
        by handle: Handle,
        sequence: Int32
    ) -> (codes: Set<ErrorCode>, offset: Int64?) {
        if let name = handle.name {
            guard self.isCurrent(handle) else { return ([.invalidProducerEpoch], nil) }
            guard self.transactions[name]?.partitions.contains(partition) == true else {
                return ([.invalidTransactionState], nil)
            }
        }
        let log = self.logs[partition]
        let count = Int32(keys.count)
        if handle.id >= 0 {
            let earlier = log.repeated(producer: handle.id, epoch: handle.epoch, sequence: sequence, count: count)
            if let earlier { return ([.none], earlier) }
            guard log.follows(producer: handle.id, epoch: handle.epoch, sequence: sequence) else {
                return ([.outOfOrderSequenceNumber], nil)
            }
        }
        let offset = self.logs[partition]
            .append(
                keys: keys,
                producer: handle.id,
                epoch: handle.epoch,
                sequence: sequence,
                isTransactional: handle.name != nil
            )
        return ([.none], offset)
    }
}
