import Synchronization

/// What a batch writes in one partition (R2).
///
/// Each user's run hands its records in as soon as it is over, on the thread that ran it. So the parts of its turns are
/// freed at once, while they are still in the processor's cache, and a batch holds little more than the bytes that it
/// writes.
final class PartitionBatch: Sendable {
    private let assembler: Mutex<TurnAssembler>

    /// Starts a batch of one partition after the turn with that digest.
    init(environment: StageEnvironment, partition: Int, chain: String) {
        self.assembler = Mutex(TurnAssembler(environment: environment, partition: partition, chain: chain))
    }

    /// Adds to what is written.
    func add(_ body: (inout TurnAssembler) -> Void) {
        self.assembler.withLock { body(&$0) }
    }

    /// Everything that was added; called once, at the end.
    func finish() -> TurnAssembler { self.assembler.withLock { $0 } }
}
