import IntentRuntime

final class InMemoryReader: LogReader {
    private let log: InMemoryLog
    private let id: ClientID
    private let signal: Signal

    /// Wraps a reader that the log knows.
    init(_ log: InMemoryLog, id: ClientID, signal: Signal) {
        self.log = log
        self.id = id
        self.signal = signal
    }

    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch {
        let rest = self.log.restOf(timeout)
        while true {
            let (batch, hasMoved) = try self.log.change { state throws(LogError) in
                try state.next(self.id, maxRecords: maxRecords)
            }
            if hasMoved || !batch.records.isEmpty {
                return batch
            }
            switch await self.signal.wait(for: rest(), clock: self.log.configuration.clock) {
            case .changed: continue
            case .woken, .expired: return batch
            }
        }
    }

    func close() async {
        self.log.forgetReader(self.id)
        self.signal.wake()
    }
}
