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
    /// The series of the metrics of one kind.
    ///
    /// There are few: comparing pointers, and texts that are the same in memory, takes a tenth of what hashing does.
    private struct Series<Handle> {
        private typealias Values = (first: String, second: String, third: String)
        private var known: [(metric: Metric, series: [(values: Values, handle: Handle)])] = []

        /// The series with these values of its labels; made if there is none.
        mutating func handle(
            _ metric: Metric,
            _ first: String,
            _ second: String,
            _ third: String,
            _ make: (Metric, [String]) -> Handle
        ) -> Handle {
            let index = self.known.firstIndex { $0.metric === metric } ?? self.known.endIndex
            if index == self.known.endIndex { self.known.append((metric, [])) }
            let found = self.known[index].series
                .withUnsafeBufferPointer { series in
                    series.firstIndex {
                        $0.values.first == first && $0.values.second == second && $0.values.third == third
                    }
                }
            if let found { return self.known[index].series[found].handle }
            let handle = make(metric, [first, second, third])
            self.known[index].series.append(((first, second, third), handle))
            return handle
        }
    }

    private struct AllSeries {
        var counters = Series<any CounterHandler>()
        var timers = Series<any TimerHandler>()
        var recorders = Series<any RecorderHandler>()
        var gauges = Series<any MeterHandler>()
    }

    private let stage: Stage
    private let registry: IntentRegistry
    private let factory: any MetricsFactory
    /// The calls in flight, by the intents' indices in the registry.
    private let calls: [HandlerCalls]
    private let series = Mutex(AllSeries())
    private let metrics = Metrics.catalog

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
    func calls(of entry: IntentRegistry.Entry) -> HandlerCalls { self.calls[entry.index] }

    /// The calls in flight of the handler of an intent, by its name; nil where no handler supports it.
    func calls(of intent: String?) -> HandlerCalls? { intent.flatMap { self.registry[$0] }.map(self.calls(of:)) }

    /// Sets the gauges of handler calls in flight.
    package func updateHandlerGauges() {
        for intent in self.registry.intentNames {
            guard let inFlight = self.calls(of: intent)?.inFlight else { continue }
            for (state, count) in [("running", inFlight.running), ("parked", inFlight.parked)] {
                self.gauge(self.metrics.activeHandlers, intent, state).set(Int64(count))
            }
        }
    }

    /// What a lane holds, after each round of its loop.
    struct LaneGauges {
        var partitions: Int
        var parked = 0
        var queued = 0
        var pauses = 0
        var held = 0
        var stateEntries = 0
        var stateBytes = 0
    }

    /// A transaction was committed; `now` is the time by the monotonic clock.
    func committed(
        records: [OutgoingRecord],
        after duration: Duration,
        at now: Duration,
        _ tallies: some Sequence<TurnTally>
    ) {
        self.count(self.metrics.transactions, "committed")
        self.timer(self.metrics.transactionDuration).recordNanoseconds(duration.nanoseconds)
        self.recorder(self.metrics.transactionRecords).record(Int64(records.count))
        // The records of a partition's turns are adjacent: the counts that they belong to are the last ones.
        var counts: [(topicPartition: TopicPartition, count: Int64)] = []
        for record in records {
            // The partition differs more often than the topic: it is compared first.
            let (topic, partition) = (record.topicPartition.topic, record.topicPartition.partition)
            let index = counts.lastIndex {
                $0.topicPartition.partition == partition && $0.topicPartition.topic == topic
            }
            if let index {
                counts[index].count += 1
            } else {
                counts.append((record.topicPartition, 1))
            }
        }
        self.recorder(self.metrics.transactionPartitions).record(Int64(counts.count))
        for (topicPartition, count) in counts { self.count(self.metrics.sent, topicPartition.topic.text, by: count) }
        for tally in tallies { self.record(tally, committedAt: now) }
    }

    /// A transaction was not committed.
    func aborted() { self.count(self.metrics.transactions, "aborted") }

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
        self.count(self.metrics.consumed, topic.text, by: Int64(count))
    }

    /// The state of new partitions was restored.
    func restored(after duration: Duration) { self.timer(self.metrics.restore).recordNanoseconds(duration.nanoseconds) }

    /// What a lane holds now.
    func set(_ gauges: LaneGauges, lane: String) {
        self.set(self.metrics.partitions, lane, gauges.partitions)
        self.set(self.metrics.parked, lane, gauges.parked)
        self.set(self.metrics.queued, lane, gauges.queued)
        self.set(self.metrics.pauses, lane, gauges.pauses)
        self.set(self.metrics.held, lane, gauges.held)
        self.set(self.metrics.stateEntries, lane, gauges.stateEntries)
        self.set(self.metrics.stateBytes, lane, gauges.stateBytes)
    }

    private func set(_ metric: Metric, _ lane: String, _ value: Int) { self.gauge(metric, lane).set(Int64(value)) }

    private func record(_ tally: TurnTally, committedAt now: Duration) {
        for group in tally.turns {
            let intent = self.label(group.kind.intent)
            let outcome = group.kind.outcome.rawValue
            self.count(self.metrics.turns, intent, outcome, by: Int64(group.values.count))
            let timer = self.timer(self.metrics.turnDuration, intent, outcome)
            for duration in group.values { timer.recordNanoseconds(duration) }
        }
        for group in tally.handlerCalls {
            let timer = self.timer(self.metrics.handlerDuration, self.label(group.kind))
            for duration in group.values { timer.recordNanoseconds(duration) }
        }
        for (intent, count) in tally.started {
            self.count(self.metrics.started, self.label(intent), by: count)
        }
        for group in tally.ended { self.record(group, committedAt: now) }
        for (kind, count) in tally.failures {
            self.count(
                self.metrics.failures,
                self.label(kind.intent),
                kind.isFinal ? "true" : "false",
                by: count
            )
        }
        for (kind, count) in tally.mistakes {
            self.count(self.metrics.clientMistakes, kind.problem.rawValue, self.label(kind.intent), by: count)
        }
        for (intent, count) in tally.operatorWaits {
            self.count(self.metrics.operatorWaits, self.label(intent), by: count)
        }
        for group in tally.times {
            let timer = self.timer(self.metrics.interactionTime, group.kind.rawValue)
            for time in group.values { timer.recordNanoseconds(time) }
        }
        if !tally.turnEnds.isEmpty {
            let timer = self.timer(self.metrics.interactionTime, InteractionState.committing.rawValue)
            for end in tally.turnEnds { timer.recordNanoseconds(max(0, (now - end).nanoseconds)) }
        }
        for error in tally.deadLetters { self.count(self.metrics.deadLetters, error) }
        for (intent, count) in tally.effects {
            self.count(self.metrics.effects, self.label(intent), by: count)
        }
        for (kind, count) in tally.vocabularyAnswers {
            self.count(
                self.metrics.vocabularyAnswers,
                kind.question.rawValue,
                kind.source?.rawValue ?? "none",
                by: count
            )
        }
    }

    private func record(_ group: TurnTally.Group<TurnTally.EndKind, TurnTally.End>, committedAt now: Duration) {
        let intent = self.label(group.kind.intent)
        self.count(
            self.metrics.ended,
            intent,
            group.kind.code ?? "",
            group.kind.reason.rawValue,
            by: Int64(group.values.count)
        )
        let timer = self.timer(self.metrics.interactionDuration, intent)
        let recorder = self.recorder(self.metrics.prompts, intent)
        for end in group.values {
            timer.recordNanoseconds(end.duration * 1_000_000 + max(0, (now - end.turnEnd).nanoseconds))
            recorder.record(Int64(end.prompts))
        }
    }

    /// An intent as a label: only registered names; others are the clients' own.
    private func label(_ intent: String?) -> String { self.registry.label(intent) ?? "" }

    // MARK: Series

    private func count(
        _ metric: Metric,
        _ first: String,
        _ second: String = "",
        _ third: String = "",
        by amount: Int64 = 1
    ) {
        let counter = self.series.withLock { series in
            series.counters.handle(metric, first, second, third) { self.factory.counter($0, self.labels($0, $1)) }
        }
        counter.increment(by: amount)
    }

    private func timer(_ metric: Metric, _ first: String = "", _ second: String = "") -> any TimerHandler {
        self.series.withLock { series in
            series.timers.handle(metric, first, second, "") { self.factory.timer($0, self.labels($0, $1)) }
        }
    }

    private func recorder(_ metric: Metric, _ value: String = "") -> any RecorderHandler {
        self.series.withLock { series in
            series.recorders.handle(metric, value, "", "") { self.factory.recorder($0, self.labels($0, $1)) }
        }
    }

    private func gauge(_ metric: Metric, _ first: String, _ second: String = "") -> any MeterHandler {
        self.series.withLock { series in
            series.gauges.handle(metric, first, second, "") { self.factory.gauge($0, self.labels($0, $1)) }
        }
    }

    /// The values of a metric's labels: this stage, then the given ones.
    private func labels(_ metric: Metric, _ values: [String]) -> [String] {
        [self.stage.rawValue] + values.prefix(metric.labels.count - 1)
    }
}

extension Duration {
    /// In nanoseconds, for swift-metrics.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
