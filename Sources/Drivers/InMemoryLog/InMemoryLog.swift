package import IntentEvents
package import IntentRuntime
import Synchronization

/// A log in memory: the whole contract of ``EventLog``, without a broker.
///
/// Deterministic: the order of calls decides everything, partitions are assigned and read in a fixed order, and time
/// passes only on the configuration's clock. Records are kept as long as the log exists; retention and compaction are
/// stored in a topic's description and not carried out. ``InMemoryLog/inject(_:)`` and its neighbours make the log
/// fail, and ``InMemoryLog/trim(_:to:)`` and its neighbours change topics while they are in use.
package final class InMemoryLog: EventLog {
    private struct Contents {
        var state: LogState
        var signals: [ClientID: Signal] = [:]
    }

    package let configuration: Configuration
    private let contents: Mutex<Contents>

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        let state = LogState(
            marksTransactions: configuration.marksTransactions,
            maximumRecordSize: configuration.maximumRecordSize
        )
        self.contents = Mutex(Contents(state: state))
    }

    package func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        let signal = Signal()
        let joined = try self.transition { state throws(LogError) in
            let joined = try state.join(configuration)
            return (joined, joined.wake)
        }
        self.contents.withLock { $0.signals[joined.id] = signal }
        self.boundRebalance(of: configuration.group, joined.rebalance)
        return InMemoryLane(self, id: joined.id, signal: signal)
    }

    package func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        let signal = Signal()
        let id = try self.change { state throws(LogError) in try state.makeReader(from: offsets) }
        self.contents.withLock { $0.signals[id] = signal }
        return InMemoryReader(self, id: id, signal: signal)
    }

    package func makeProducer() async throws(LogError) -> any LogProducer {
        try self.change { state throws(LogError) in try state.checkOpen() }
        return InMemoryProducer(self)
    }

    package func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> {
        try self.change { state throws(LogError) in try state.createTopics(topics) }
    }

    package func topics() async throws(LogError) -> [TopicDescription] {
        try self.change { state throws(LogError) in
            try state.checkOpen()
            return state.topics.values.map(\.description).sorted { $0.name < $1.name }
        }
    }

    package func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try self.change { state throws(LogError) in try state.offsets(partitions, at: query) }
    }

    package func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try self.change { state throws(LogError) in
            try state.checkOpen()
            return state.groups[group]?.committed.filter { partitions.contains($0.key) } ?? [:]
        }
    }

    package func close() async {
        let signals = self.contents.withLock { contents in
            contents.state.isClosed = true
            return contents.signals.values
        }
        for signal in signals { signal.wake() }
    }

    /// Performs one transition, then wakes the clients that it names.
    @discardableResult
    func transition<Result>(
        _ body: (inout LogState) throws(LogError) -> (Result, Set<ClientID>)
    ) throws(LogError) -> Result {
        let (result, signals) = try self.contents.withLock { contents throws(LogError) in
            let (result, wake) = try body(&contents.state)
            return (result, wake.sorted().compactMap { contents.signals[$0] })
        }
        for signal in signals { signal.change() }
        return result
    }

    /// Performs a transition after which no client has to be woken.
    @discardableResult
    func change<Result>(_ body: (inout LogState) throws(LogError) -> Result) throws(LogError) -> Result {
        try self.contents.withLock { contents throws(LogError) in try body(&contents.state) }
    }

    func leave(_ id: ClientID) {
        let left = self.contents.withLock { contents in
            contents.signals[id] = nil
            return contents.state.leave(id)
        }
        guard let left else { return }
        try? self.transition { _ throws(LogError) in ((), left.wake) }
        self.boundRebalance(of: left.group, left.rebalance)
    }

    func forgetReader(_ id: ClientID) {
        self.contents.withLock { contents in
            contents.signals[id] = nil
            contents.state.readers[id] = nil
        }
    }

    /// Ends a rebalance after the longest session time-out of the group, whether or not all lanes have answered by
    /// then.
    func boundRebalance(of group: GroupName, _ generation: Int?) {
        guard let generation else { return }
        let timeout = self.contents.withLock { contents in
            contents.state.groups[group]?.members.values.map(\.configuration.sessionTimeout).max() ?? 0
        }
        let clock = self.configuration.clock
        Task { [weak self] in
            guard (try? await clock.sleep(for: .milliseconds(timeout))) != nil else { return }
            try? self?.transition { state throws(LogError) in ((), state.expire(group, generation: generation)) }
        }
    }

    /// Returns a closure that returns how much of a time-out is left on the log's clock.
    func restOf(_ timeout: Duration) -> () -> Duration { Self.rest(of: timeout, on: self.configuration.clock) }

    private static func rest(of timeout: Duration, on clock: some Clock<Duration>) -> () -> Duration {
        let deadline = clock.now.advanced(by: timeout)
        return { clock.now.duration(to: deadline) }
    }
}
