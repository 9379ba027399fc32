internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Everything that a client can read: every record of every topic, in the order of its partition.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class History: @unchecked Sendable {
    /// An event that a stage is to process.
    struct Input: Hashable {
        /// The stage.
        var stage: Stage
        /// The position.
        var position: RecordPosition
    }

    /// A turn with the digest of its record.
    struct Entry {
        /// The turn.
        var turn: TurnRecord
        /// The digest by which the next turn names it.
        var digest: String
        /// The id of its record.
        var id: String
    }

    /// The records, by topic, then by partition.
    private(set) var records: [Topic: [Int: [LogRecord]]] = [:]
    /// The events of `responses`, in the order in which they were read.
    private(set) var responses: [Event] = []
    /// The same events by the digests by which turns name them.
    private(set) var responsesByDigest: [String: Event] = [:]
    /// The turns that were journaled, by partition.
    private(set) var turns: [Int: [Entry]] = [:]
    /// The events that each stage received.
    private(set) var inputs: Set<Input> = []
    /// The events that their stage has at least begun to process.
    private(set) var processed: Set<Input> = []
    /// The entries of the topic `state` after compaction.
    private(set) var state: [StateKey: [UInt8]] = [:]
    /// The number of the commit that has written each turn, by the id of its record: turns of one commit have run
    /// without knowing of each other's state.
    private(set) var commits: [String: Int] = [:]
    private var commitCount = 0

    private let trace: Trace

    /// Creates an empty history.
    init(_ trace: Trace) { self.trace = trace }

    /// The records of a topic's partition.
    func records(of topic: Topic, _ partition: Int) -> [LogRecord] { self.records[topic]?[partition] ?? [] }

    /// A digest of all records, in order.
    var digest: String {
        var digests: [String] = []
        for topic in Topic.allCases {
            for (partition, records) in (self.records[topic] ?? [:]).sorted(by: { $0.key < $1.key }) {
                digests += records.map { "\(topic.rawValue)/\(partition)/\($0.offset) \(RecordDigest.of($0))" }
            }
        }
        return RecordDigest.of(Array(digests.joined(separator: "\n").utf8))
    }

    /// Notes the turns of a transaction at the moment when they become visible.
    func recordCommitted(_ records: [OutgoingRecord]) {
        self.commitCount += 1
        for record in records where Topic(name: record.topicPartition.topic, prefix: "intents") == .journal {
            if let id = record.header(EventHeaderName.id) { self.commits[id] = self.commitCount }
        }
    }

    /// Continues to read, and passes on the responses.
    func read(_ reader: any LogReader, onResponse: (Event) -> Void) async throws(LogError) {
        let batch = try await reader.next(maxRecords: 1_000, timeout: .milliseconds(500))
        for record in batch.records {
            guard let topic = Topic(name: record.topicPartition.topic, prefix: "intents") else { continue }
            self.records[topic, default: [:]][record.topicPartition.partition, default: []].append(record)
            switch topic {
            case .responses:
                guard let event = try? StoredRecord(record, topic: topic).decoded() else { continue }
                self.responses.append(event)
                self.responsesByDigest[RecordDigest.of(record)] = event
                onResponse(event)
            case .journal: self.record(turn: record)
            case .state:
                if let key = record.key.flatMap(StateKey.init) { self.state[key] = record.value }
            case .requests: self.record(input: record, of: .resolve, on: topic)
            case .resolved: self.record(input: record, of: .confirm, on: topic)
            case .confirmed: self.record(input: record, of: .handle, on: topic)
            case .signals:
                if let stage = record.header(EventHeaderName.stage).flatMap(Stage.init(rawValue:)) {
                    self.record(input: record, of: stage, on: topic)
                }
            case .userActivities, .deadLetters: break
            }
        }
    }

    private func record(input record: LogRecord, of stage: Stage, on topic: Topic) {
        let position = RecordPosition(topic, record.topicPartition.partition, record.offset)
        self.inputs.insert(Input(stage: stage, position: position))
    }

    private func record(turn record: LogRecord) {
        guard let turn = TurnRecord(record) else { return }
        self.trace.record(
            "reads that \(turn.stage) processed \(turn.position) \(turn.eventType) (\(turn.userID)), "
                + "continuation \(turn.generation), try \(turn.attempt): \(turn.outcome)"
        )
        self.turns[record.topicPartition.partition, default: []]
            .append(Entry(turn: turn, digest: RecordDigest.of(record), id: record.header(EventHeaderName.id) ?? ""))
        self.processed.insert(Input(stage: turn.stage, position: turn.position))
    }
}
