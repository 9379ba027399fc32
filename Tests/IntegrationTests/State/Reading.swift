import InMemoryLog
import IntentEvents
import IntentRuntime
import Synchronization

/// Reads a topic continuously.
final class Reading: Sendable {
    private let log: InMemoryLog
    private let topic: Topic
    private let partitions: [TopicPartition]
    private let reader: any LogReader
    private let positions = Mutex<[TopicPartition: Int64]>([:])

    init(_ topic: Topic, _ partitions: Int, of log: InMemoryLog) async throws {
        self.log = log
        self.topic = topic
        self.partitions = (0..<partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
        self.reader = try await log.makeReader(from: Dictionary(uniqueKeysWithValues: self.partitions.map { ($0, 0) }))
    }

    /// The next events, as soon as there are this many.
    func next(_ count: Int) async throws -> [Event] {
        var events: [Event] = []
        while events.count < count { events += try await self.read(count - events.count) }
        return events
    }

    /// The events that have come since.
    func rest() async throws -> [Event] {
        var open = try await self.log.offsets(self.partitions, at: .end)
            .filter { $0.value > self.positions.withLock { $0 }[$0.key] ?? 0 }
        var events: [Event] = []
        while !open.isEmpty {
            events += try await self.read(1_000)
            let positions = self.positions.withLock { $0 }
            open = open.filter { $0.value > positions[$0.key] ?? 0 }
        }
        return events
    }

    private func read(_ count: Int) async throws -> [Event] {
        let batch = try await self.reader.next(maxRecords: count, timeout: .seconds(30))
        self.positions.withLock { $0.merge(batch.positions) { $1 } }
        return try batch.records.map { try StoredRecord($0, topic: self.topic).decoded() }
    }
}
