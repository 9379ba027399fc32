import Synchronization

/// What a batch writes in one partition (R2).
///
/// Each user's run hands its records in as soon as it is over, on the thread that ran it. So what its turns were made of is
/// given back at once, while it is still in the processor's cache, and a batch holds little more than the bytes that it
/// writes.
final class PartitionBatch: Sendable {
    private let assembler: Mutex<TurnAssembler>

    /// Begins a batch of one partition after the turn with that digest.
    init(environment: StageEnvironment, partition: Int, chain: String) {
        self.assembler = Mutex(TurnAssembler(environment: environment, partition: partition, chain: chain))
    }

    /// Adds to what is written.
    func add(_ body: (inout TurnAssembler) -> Void) {
        self.assembler.withLock { body(&$0) }
    }

    /// All that was added; asked for once, when everything is there.
    func finish() -> TurnAssembler { self.assembler.withLock { $0 } }
}
