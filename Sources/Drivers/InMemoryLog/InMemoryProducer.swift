import IntentRuntime
import Synchronization

final class InMemoryProducer: LogProducer {
    private let log: InMemoryLog
    private let isClosed = Atomic(false)

    init(_ log: InMemoryLog) { self.log = log }

    func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64] {
        guard !self.isClosed.load(ordering: .acquiring) else { throw LogError(.closed, "the producer was closed") }
        let now = self.log.configuration.timestamp()
        return try self.log.transition { state throws(LogError) in
            let sent = try state.send(records, now: now)
            return (sent.offsets, sent.wake)
        }
    }

    func close() async {
        self.isClosed.store(true, ordering: .releasing)
    }
}
