internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The turns that the stages have journaled, and the events that they should have processed.
struct Journal {
    /// An event that a stage is to process.
    struct Input: Hashable {
        /// Whose it is.
        var stage: Stage
        /// Where it stands.
        var position: RecordPosition
    }

    /// A turn with the bytes of its record.
    struct Entry {
        var turn: TurnRecord
        var value: [UInt8]
    }

    /// The turns in log order, by partition.
    let entries: [Int: [Entry]]
    private let history: History
    private let processed: Set<Input>

    /// Reads the topic `journal`.
    init(_ history: History) {
        self.history = history
        var entries: [Int: [Entry]] = [:]
        var processed: Set<Input> = []
        for (partition, records) in history.records[.journal] ?? [:] {
            entries[partition] = records.compactMap { record in
                guard let value = record.value, let json = try? JSONValue(parsing: value),
                    let turn = TurnRecord(json: json)
                else { return nil }
                processed.insert(Input(stage: turn.stage, position: turn.position))
                return Entry(turn: turn, value: value)
            }
        }
        self.entries = entries
        self.processed = processed
    }

    /// Whether a stage has begun with an event.
    func isProcessed(_ input: Input) -> Bool { self.processed.contains(input) }

    /// The events that were put before each stage.
    func inputs(partitions: Int) -> [Input] {
        var inputs: [Input] = []
        for stage in Stage.allCases {
            for partition in 0..<partitions {
                for topic in [stage.inputTopic, .signals] {
                    for record in self.history.records(of: topic, partition)
                    where topic != .signals || record.header(EventHeaderName.stage) == stage.rawValue {
                        inputs.append(Input(stage: stage, position: RecordPosition(topic, partition, record.offset)))
                    }
                }
            }
        }
        return inputs
    }
}
