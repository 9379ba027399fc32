package import CoreMetrics
package import IntentEvents
package import IntentKit
import Synchronization
import Telemetry

/// What a stage's lanes measure, through swift-metrics; reported batch by batch, after each commit.
///
/// Labels have few values: a stage, a supported intent, an outcome, a code, an error. They never name a user or an
/// interaction; any other intent counts as `unsupported`.
package final class StageMetrics: Sendable {
    /// The handles of a metric, by the values of its labels.
    ///
    /// They are few: comparing texts that are the same in memory takes a tenth of what hashing them does.
    private struct Handles<Handle> {
        private var known: [(first: String, second: String, third: String, handle: Handle)] = []

        init() {}

        mutating func handle(_ first: String, _ second: String, _ third: String, _ make: () -> Handle) -> Handle {
            let place = self.known.withUnsafeBufferPointer { known in
                known.firstIndex { $0.first == first && $0.second == second && $0.third == third }
            }
            if let place { return self.known[place].handle }
            let handle = make()
            self.known.append((first, second, third, handle))
            return handle
        }
    }

    /// The metrics' names.
    package enum StaticName: String, CaseIterable, Sendable {
        case turns = "intentd.turns"
        case turnDuration = "intentd.turn.duration"
        case started = "intentd.interactions.started"
        case ended = "intentd.interactions.ended"
        case interactionDuration = "intentd.interaction.duration"
        case prompts = "intentd.interaction.prompts"
        case handlerDuration = "intentd.handler.duration"
        case failures = "intentd.handler.failures"
        case activeHandlers = "intentd.handler.active"
        case effects = "intentd.effects"
        case vocabularyAnswers = "intentd.vocabulary.answers"
        case deadLetters = "intentd.dead_letters"
        case transactions = "intentd.transactions"
        case transactionDuration = "intentd.transaction.duration"
        case transactionRecords = "intentd.transaction.records"
        case transactionPartitions = "intentd.transaction.partitions"
        case consumed = "messaging.client.consumed.messages"
        case sent = "messaging.client.sent.messages"
        case parked = "intentd.turns.parked"
        case queued = "intentd.events.queued"
        case partitions = "intentd.lane.partitions"
        case stateEntries = "intentd.state.entries"
        case stateBytes = "intentd.state.memory"
        case restore = "intentd.state.restore.duration"

        /// Its place among all.
        package var place: Int {
            switch self {
            case .turns: 0
            case .turnDuration: 1
            case .started: 2
            case .ended: 3
            case .interactionDuration: 4
            case .prompts: 5
            case .handlerDuration: 6
            case .failures: 7
            case .activeHandlers: 8
            case .effects: 9
            case .vocabularyAnswers: 10
            case .deadLetters: 11
            case .transactions: 12
            case .transactionDuration: 13
            case .transactionRecords: 14
            case .transactionPartitions: 15
            case .consumed: 16
            case .sent: 17
            case .parked: 18
            case .queued: 19
            case .partitions: 20
            case .stateEntries: 21
            case .stateBytes: 22
            case .restore: 23
            }
        }

        /// The metric's description, for `# HELP`.
        package var help: String {
            switch self {
            case .turns: "Committed turns, by intent and outcome."
            case .turnDuration:
                "Duration of turns from reading the event to its result, including the time parked."
            case .started: "Started interactions."
            case .ended: "Ended interactions, by the intent's code and the end reason."
            case .interactionDuration: "Duration of interactions, from the first turn to the end."
            case .prompts: "Prompts issued."
            case .handlerDuration: "Duration of handler calls in a turn."
            case .failures: "Failed turns; final: true if the turn is not retried."
            case .activeHandlers:
                "Handler calls in flight; state: running while the batch waits for the turn, otherwise parked."
            case .effects: "Effects performed, or found already performed."
            case .vocabularyAnswers:
                "Vocabulary lookups by handlers; kind: matches of words, or a whole list; result: the vocabulary that "
                    + "answered, user or global, or none."
            case .deadLetters: "Dead letters, by error."
            case .transactions: "Transactions of lanes, by result."
            case .transactionDuration: "Duration of commits."
            case .transactionRecords: "Records in a transaction."
            case .transactionPartitions: "Partitions written in a transaction."
            case .consumed: "Records consumed."
            case .sent: "Records produced and committed."
            case .parked: "Parked turns: turns whose handlers run longer than a batch."
            case .queued: "Events queued behind a parked turn of their user."
            case .partitions: "Partitions assigned to a lane."
            case .stateEntries: "State entries of a lane in memory."
            case .stateBytes: "Approximate size of a lane's state in memory, in bytes."
            case .restore: "Duration of restoring the state of assigned partitions."
            }
        }
    }

    /// The handles by the metrics' places.
    private struct AllHandles {
        var counters = Array(repeating: Handles<any CounterHandler>(), count: StaticName.allCases.count)
        var timers = Array(repeating: Handles<any TimerHandler>(), count: StaticName.allCases.count)
        var recorders = Array(repeating: Handles<any RecorderHandler>(), count: StaticName.allCases.count)
        var meters = Array(repeating: Handles<any MeterHandler>(), count: StaticName.allCases.count)
    }

    private let stage: Stage
    private let registry: IntentRegistry
    private let factory: any MetricsFactory
    /// The calls in flight, by the intents' places in the registry.
    private let calls: [HandlerCalls]
    private let handles = Mutex(AllHandles())

    /// Makes the metrics of a stage.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - registry: The intents that may be labels.
    ///   - factory: The metrics backend.
    package init(_ stage: Stage, registry: IntentRegistry, factory: any MetricsFactory) {
        self.stage = stage
        self.registry = registry
        self.factory = factory
        self.calls = registry.intentNames.map { _ in HandlerCalls() }
    }

    /// The calls in flight of an intent's handler.
    func calls(of entry: IntentRegistry.Entry) -> HandlerCalls { self.calls[entry.place] }

    /// The calls in flight of the handler of an intent, by its name; nil where no handler supports it.
    func calls(of intent: String?) -> HandlerCalls? { intent.flatMap { self.registry[$0] }.map(self.calls(of:)) }

    /// Sets the figures of what is in flight now: only who asks knows when.
    package func tellHandlers() {
        for intent in self.registry.intentNames {
            guard let inFlight = self.calls(of: intent)?.inFlight else { continue }
            for (state, count) in [("running", inFlight.running), ("parked", inFlight.parked)] {
                self.meter(.activeHandlers, TelemetryKey.intent, intent, TelemetryKey.state, state).set(Int64(count))
            }
        }
    }

    /// What a lane holds, after each round of its loop.
    struct LaneGauges {
        var partitions: Int
        var parked = 0
        var queued = 0
        var stateEntries = 0
        var stateBytes = 0
    }

    /// A transaction was committed.
    func committed(records: [OutgoingRecord], after duration: Duration, _ tallies: some Sequence<TurnTally>) {
        self.count(.transactions, TelemetryKey.result, "committed")
        self.timer(.transactionDuration).recordNanoseconds(duration.nanoseconds)
        self.recorder(.transactionRecords).record(Int64(records.count))
        // The records of a partition's turns are adjacent: the counts that they belong to are the last ones.
        var counts: [(place: TopicPartition, count: Int64)] = []
        for record in records {
            let (topic, partition) = (record.topicPartition.topic, record.topicPartition.partition)
            if let place = counts.lastIndex(where: { $0.place.partition == partition && $0.place.topic == topic }) {
                counts[place].count += 1
            } else {
                counts.append((record.topicPartition, 1))
            }
        }
        self.recorder(.transactionPartitions).record(Int64(counts.count))
        for (place, count) in counts { self.count(.sent, TelemetryKey.topic, place.topic.text, by: count) }
        for tally in tallies { self.tell(tally) }
    }

    /// A transaction was not committed.
    func aborted() { self.count(.transactions, TelemetryKey.result, "aborted") }

    /// Records were read.
    func consumed(_ records: [LogRecord]) {
        // The records of a partition are adjacent.
        var start = 0
        for end in records.indices.dropFirst() where records[end].topicPartition != records[start].topicPartition {
            self.consumed(end - start, of: records[start].topicPartition.topic)
            start = end
        }
        if let last = records.last { self.consumed(records.count - start, of: last.topicPartition.topic) }
    }

    private func consumed(_ count: Int, of topic: TopicName) {
        self.count(.consumed, TelemetryKey.topic, topic.text, by: Int64(count))
    }

    /// The state of new partitions was restored.
    func restored(after duration: Duration) { self.timer(.restore).recordNanoseconds(duration.nanoseconds) }

    /// What a lane holds now.
    func set(_ gauges: LaneGauges, lane: String) {
        self.set(.partitions, lane, gauges.partitions)
        self.set(.parked, lane, gauges.parked)
        self.set(.queued, lane, gauges.queued)
        self.set(.stateEntries, lane, gauges.stateEntries)
        self.set(.stateBytes, lane, gauges.stateBytes)
    }

    private func set(_ name: StaticName, _ lane: String, _ value: Int) {
        self.meter(name, TelemetryKey.lane, lane).set(Int64(value))
    }

    private func tell(_ tally: TurnTally) {
        for group in tally.turns {
            let intent = self.label(group.kind.intent)
            let outcome = group.kind.outcome.rawValue
            self.count(
                .turns,
                TelemetryKey.intent,
                intent,
                TelemetryKey.outcome,
                outcome,
                by: Int64(group.values.count)
            )
            let timer = self.timer(.turnDuration, TelemetryKey.intent, intent, TelemetryKey.outcome, outcome)
            for duration in group.values { timer.recordNanoseconds(duration) }
        }
        for group in tally.handlerCalls {
            let timer = self.timer(.handlerDuration, TelemetryKey.intent, self.label(group.kind))
            for duration in group.values { timer.recordNanoseconds(duration) }
        }
        for (intent, count) in tally.started {
            self.count(.started, TelemetryKey.intent, self.label(intent), by: count)
        }
        for group in tally.ended { self.tell(group) }
        for (kind, count) in tally.failures {
            self.count(
                .failures,
                TelemetryKey.intent,
                self.label(kind.intent),
                TelemetryKey.isFinal,
                kind.isFinal ? "true" : "false",
                by: count
            )
        }
        for error in tally.deadLetters { self.count(.deadLetters, TelemetryKey.errorType, error) }
        for (intent, count) in tally.effects {
            self.count(.effects, TelemetryKey.intent, self.label(intent), by: count)
        }
        for (kind, count) in tally.vocabularyAnswers {
            self.count(
                .vocabularyAnswers,
                TelemetryKey.kind,
                kind.question.rawValue,
                TelemetryKey.result,
                kind.source?.rawValue ?? "none",
                by: count
            )
        }
    }

    private func tell(_ group: TurnTally.Group<TurnTally.EndKind, (duration: Int64, prompts: Int)>) {
        let intent = self.label(group.kind.intent)
        self.count(
            .ended,
            TelemetryKey.intent,
            intent,
            TelemetryKey.code,
            group.kind.code ?? "",
            TelemetryKey.endReason,
            group.kind.reason.rawValue,
            by: Int64(group.values.count)
        )
        let timer = self.timer(.interactionDuration, TelemetryKey.intent, intent)
        let recorder = self.recorder(.prompts, TelemetryKey.intent, intent)
        for (duration, prompts) in group.values {
            timer.recordNanoseconds(duration * 1_000_000)
            recorder.record(Int64(prompts))
        }
    }

    /// An intent as a label: only registered names; others are the clients' own.
    private func label(_ intent: String?) -> String { self.registry.label(intent) ?? "" }

    // MARK: Handles

    private func count(
        _ name: StaticName,
        _ firstLabel: String,
        _ first: String,
        _ secondLabel: String = "",
        _ second: String = "",
        _ thirdLabel: String = "",
        _ third: String = "",
        by amount: Int64 = 1
    ) {
        let counter = self.handles.withLock { handles in
            handles.counters[name.place]
                .handle(first, second, third) {
                    let labels = [(firstLabel, first), (secondLabel, second), (thirdLabel, third)]
                    return self.factory.makeCounter(label: name.rawValue, dimensions: self.dimensions(labels))
                }
        }
        counter.increment(by: amount)
    }

    private func timer(
        _ name: StaticName,
        _ firstLabel: String = "",
        _ first: String = "",
        _ secondLabel: String = "",
        _ second: String = ""
    ) -> any TimerHandler {
        self.handles.withLock { handles in
            handles.timers[name.place]
                .handle(first, second, "") {
                    let dimensions = self.dimensions([(firstLabel, first), (secondLabel, second)])
                    return self.factory.makeTimer(label: name.rawValue, dimensions: dimensions)
                }
        }
    }

    private func recorder(_ name: StaticName, _ label: String = "", _ value: String = "") -> any RecorderHandler {
        self.handles.withLock { handles in
            handles.recorders[name.place]
                .handle(value, "", "") {
                    let dimensions = self.dimensions([(label, value)])
                    return self.factory.makeRecorder(label: name.rawValue, dimensions: dimensions, aggregate: true)
                }
        }
    }

    private func meter(
        _ name: StaticName,
        _ firstLabel: String,
        _ first: String,
        _ secondLabel: String = "",
        _ second: String = ""
    ) -> any MeterHandler {
        self.handles.withLock { handles in
            handles.meters[name.place]
                .handle(first, second, "") {
                    let dimensions = self.dimensions([(firstLabel, first), (secondLabel, second)])
                    return self.factory.makeMeter(label: name.rawValue, dimensions: dimensions)
                }
        }
    }

    private func dimensions(_ labels: [(String, String)]) -> [(String, String)] {
        [(TelemetryKey.stage, self.stage.rawValue)] + labels.filter { !$0.0.isEmpty }
    }
}

extension Duration {
    /// In nanoseconds, for swift-metrics.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
