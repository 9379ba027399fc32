import IntentRuntime

/// A lane on a log in memory.
final class InMemoryLane: TransactionalLane {
    private let log: InMemoryLog
    /// The lane's id in the log.
    let id: ClientID
    private let signal: Signal

    init(_ log: InMemoryLog, id: ClientID, signal: Signal) {
        self.log = log
        self.id = id
        self.signal = signal
    }

    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        let rest = self.log.restOf(timeout)
        while true {
            let events = try self.events(maxRecords)
            guard events.isEmpty else {
                _ = self.signal.consumeWake()
                return events
            }
            switch await self.signal.wait(for: rest(), clock: self.log.configuration.clock) {
            case .changed: continue
            // The lane may have been closed or fenced meanwhile.
            case .woken, .expired: return try self.events(maxRecords)
            }
        }
    }

    private func events(_ maxRecords: Int) throws(LogError) -> [LaneEvent] {
        try self.log.change { state throws(LogError) in try state.poll(self.id, maxRecords: maxRecords) }
    }

    func start(at offsets: [TopicPartition: Int64?]) async throws(LogError) {
        try self.log.change { state throws(LogError) in try state.start(self.id, at: offsets) }
    }

    func release() async throws(LogError) {
        let begun = try self.log.transition { state throws(LogError) in
            let released = try state.release(self.id)
            return ((try state.group(of: self.id), released.rebalance), released.wake)
        }
        self.log.boundRebalance(of: begun.0, begun.1)
    }

    func commit(_ batch: LaneCommit) async throws(LogError) {
        let now = self.log.configuration.timestamp()
        let unknown = try self.log.transition { state throws(LogError) in
            let committed = try state.commit(self.id, batch, now: now)
            return (committed.unknown, committed.wake)
        }
        if let unknown { throw unknown }
    }

    func pause(_ partitions: [TopicPartition]) async throws(LogError) {
        try self.log.change { state throws(LogError) in try state.setPaused(true, self.id, partitions) }
    }

    func resume(_ partitions: [TopicPartition]) async throws(LogError) {
        try self.log.change { state throws(LogError) in try state.setPaused(false, self.id, partitions) }
    }

    func positions() async -> [TopicPartition: Int64] {
        let found = try? self.log.change { state throws(LogError) in
            state.groups[try state.group(of: self.id)]?.members[self.id]?.startedPositions
        }
        return found ?? [:]
    }

    func wake() { self.signal.wake() }

    func close(_: LaneDeparture) async {
        self.signal.wake()
        self.log.leave(self.id)
    }
}
