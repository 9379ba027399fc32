internal import IntentEvents
import Synchronization

/// What a batch writes in one partition (R2).
///
/// Each user's run hands its turns in as soon as it is over. The thread that does so writes their records, and those of
/// the runs that are handed in meanwhile: nobody waits for another run's records to be written. So the parts of turns are
/// freed soon, while they are still in the processor's cache, and a batch holds little more than the bytes that it
/// writes.
final class PartitionBatch: Sendable {
    /// The turns of a run that is over, and the user's state after them.
    struct Part: Sendable {
        var entries: ShortList<UserRun.Entry>
        var user: UserID
        var writes: StateWrites
    }

    /// Parts that wait for the thread that is writing.
    private struct Waiting {
        var parts: [Part] = []
        var isWriting = false

        /// Whether the caller has to write the part; otherwise the thread that is writing does.
        mutating func claim(_ part: Part) -> Bool {
            guard self.isWriting else {
                self.isWriting = true
                return true
            }
            self.parts.append(part)
            return false
        }

        /// The parts that came meanwhile; nil when there are none, and nobody writes any more.
        mutating func next() -> [Part]? {
            guard !self.parts.isEmpty else {
                self.isWriting = false
                return nil
            }
            defer { self.parts = [] }
            return self.parts
        }
    }

    private let waiting = Mutex(Waiting())
    private let assembler: Mutex<TurnAssembler>

    /// Starts a batch of one partition after the turn with that digest.
    init(environment: StageEnvironment, partition: Int, chain: String) {
        self.assembler = Mutex(TurnAssembler(environment: environment, partition: partition, chain: chain))
    }

    /// Adds the turns of a run; they are written when the last thread that adds some returns.
    func add(_ part: Part) {
        guard self.waiting.withLock({ $0.claim(part) }) else { return }
        self.assembler.withLock { assembler in
            assembler.append(part)
            while let parts = self.waiting.withLock({ $0.next() }) {
                for part in parts { assembler.append(part) }
            }
        }
    }

    /// Adds what the lane itself writes, before or after all runs.
    func add(_ body: (inout TurnAssembler) -> Void) { self.assembler.withLock { body(&$0) } }

    /// Everything that was added; called once, at the end.
    func finish() -> TurnAssembler { self.assembler.withLock { $0 } }
}
