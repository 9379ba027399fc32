package import CoreMetrics
internal import IntentEvents
internal import IntentRecords
internal import IntentRuntime
internal import KafkaLog
internal import LocalHTTP
internal import Logging
internal import OTLPTraces
internal import PrometheusMetrics
internal import ServiceLifecycle
internal import Synchronization
internal import Telemetry

/// Monitors this process: its metrics, its liveness, and its readiness.
///
/// `/livez` fails when a working lane has not completed a round of its loop for ``Monitor/stuckAfter``: then only a
/// restart helps. `/readyz` fails while a lane joins, restores, restarts or stays at one offset, and while the broker
/// or the store does not answer. A broker that is down is no reason to restart, so `/livez` ignores it. Lag and members
/// of groups are exported as long as they are current (R81a).
package final class Monitor: Service {
    /// The time for one round after which a lane counts as stuck: slow turns are parked, and do not wait in the loop.
    static let stuckAfter = Duration.seconds(120)
    /// The interval at which broker and store are checked.
    static let interval = Duration.seconds(5)
    /// How long the broker may take to answer a check.
    static let brokerTimeout = Duration.seconds(5)
    /// The time for which their last answer, and what was measured then, is valid: two checks and the time of an answer,
    /// and no more than the session time-out of lanes.
    package static let maximumProbeAge = Duration.seconds(12)

    /// The registry that exposes the metrics; nil when the package has a backend of its own.
    let registry: PrometheusRegistry?
    package let factory: any MetricsFactory

    private struct State {
        var lanes: [LaneHealth] = []
        var stages: [StageMetrics] = []
        var broker: Probe.Answer?
        /// When the broker last answered.
        var brokerAnsweredAt: ContinuousClock.Instant?
        var answers = BrokerAnswers()
        var store: Probe.Answer?
        /// The roles whose groups are measured.
        var roles: Set<WorkerRole> = []
        /// When they were last measured.
        var groupsMeasuredAt: ContinuousClock.Instant?
        /// The series of what was measured.
        var groupGauges: [GroupSeries: any MeterHandler] = [:]
        var open: OpenInteractions?
        var crashes: CrashWatch?
        var embeddedBroker: BrokerMetrics?
        var parts: [(name: String, isRequired: Bool, problem: @Sendable () -> String?)] = []

        /// For how long the broker has not answered, in words, once that is too long; nil before the first check.
        func brokerSilence(at now: ContinuousClock.Instant) -> String? {
            guard self.broker != nil else { return nil }
            guard let at = self.brokerAnsweredAt else { return "has not answered yet" }
            let silence = now - at
            return silence > Monitor.maximumProbeAge ? "has not answered for \(silence.components.seconds) s" : nil
        }
    }

    /// A series of a group: its lag on a topic, or its members.
    private struct GroupSeries: Hashable {
        var metric: Metric
        var labels: [String]
    }

    private let probe: Probe
    private let state = Mutex(State())
    private let logger: Logger
    private let metrics = Metrics.catalog

    /// Creates a monitor that watches nothing yet.
    ///
    /// - Parameters:
    ///   - factory: The package's own backend for metrics; nil for Prometheus'.
    ///   - probe: Checks broker and store.
    ///   - logger: Logs when the broker stops responding, and when it responds again.
    init(factory: (any MetricsFactory)?, probe: Probe, logger: Logger) {
        let registry = factory == nil ? PrometheusRegistry(help: Metrics.help) : nil
        self.registry = registry
        self.factory = factory ?? registry ?? NOOPMetricsHandler.instance
        self.probe = probe
        self.logger = logger
        registry?.onCollect { [weak self] in self?.updateGauges() }
    }

    func watch(_ lanes: [LaneHealth]) { self.state.withLock { $0.lanes += lanes } }

    /// Watches the lanes of a stage, and measures its handlers.
    func watch(_ worker: StageWorker) {
        self.watch(worker.health)
        if let metrics = worker.metrics { self.state.withLock { $0.stages.append(metrics) } }
    }

    /// Watches a part of the process.
    ///
    /// - Parameters:
    ///   - name: The part's name.
    ///   - isRequired: Whether the process is not ready while the part has a problem. The process can serve without
    ///     another part, whose line reports the problem all the same.
    ///   - problem: Returns why the part does not work; nil when it does.
    package func watch(_ name: String, isRequired: Bool = true, problem: @escaping @Sendable () -> String?) {
        self.state.withLock { $0.parts.append((name, isRequired, problem)) }
    }

    /// Measures the groups of these roles.
    func watch(groupsOf roles: some Sequence<WorkerRole>) { self.state.withLock { $0.roles.formUnion(roles) } }

    /// Measures the activity of this process's embedded broker.
    func watch(_ broker: BrokerHost) { self.state.withLock { $0.embeddedBroker = BrokerMetrics(broker) } }

    /// Measures the number of suspected turns, and when the previous process crashed.
    func watch(_ crashes: CrashWatch) {
        self.state.withLock { $0.crashes = crashes }
        guard let time = crashes.foundCrashAt else { return }
        self.factory.gauge(self.metrics.crashTime).set(Double(time.milliseconds) / 1_000)
    }

    /// Measures the number of open interactions in a record database.
    func watch(records path: String) { self.state.withLock { $0.open = OpenInteractions(path) } }

    /// Checks broker and store repeatedly, until the group shuts down.
    ///
    /// Each is checked by itself: one that hangs does not keep the other's last answer from being renewed.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            async let store: Void = self.repeatedly { await self.pollStore() }
            async let counts: Void = self.repeatedly { await self.count() }
            await self.repeatedly { await self.pollBroker() }
            _ = await (store, counts)
        }
        await self.probe.close()
    }

    private func repeatedly(_ check: () async -> Void) async {
        while !Task.isCancelled {
            let next = ContinuousClock.now + Self.interval
            await check()
            try? await Task.sleep(until: max(next, .now + .seconds(1)))
        }
    }

    /// Checks broker and store once.
    func poll() async {
        async let store: Void = self.pollStore()
        async let counts: Void = self.count()
        await self.pollBroker()
        _ = await (store, counts)
    }

    /// Checks the broker once, and measures what depends on it.
    private func pollBroker() async {
        let broker = await self.probe.askBroker()
        let (change, roles) = self.state.withLock { state in
            state.broker = broker
            if case .success(let at) = broker { state.brokerAnsweredAt = at }
            return (state.answers.record(failure: broker.failure?.description), state.roles)
        }
        self.record(broker, as: self.metrics.brokerAnswers)
        change?.log(self.logger)
        if broker.failure == nil, let groups = await self.probe.askGroups(roles) { self.record(groups) }
        self.updateGauges()
    }

    /// Counts what is on this machine.
    private func count() async {
        if let open = self.state.withLock(\.open), let count = await open.count() {
            self.factory.gauge(self.metrics.openInteractions).set(Int64(count.interactions))
            self.factory.gauge(self.metrics.queuedInteractions).set(Int64(count.queued))
        }
        if let crashes = self.state.withLock(\.crashes) {
            self.factory.gauge(self.metrics.suspectedTurns).set(Int64(crashes.suspectCount))
        }
        self.state.withLock { $0.embeddedBroker?.record(in: self.factory) }
    }

    /// Tries the store once.
    private func pollStore() async {
        let store = await self.probe.askStore()
        self.state.withLock { $0.store = store }
        if let store { self.record(store, as: self.metrics.storeAnswers) }
    }

    /// Sets the series of the groups, and removes those that are not known any more.
    private func record(_ groups: [GroupCondition]) {
        guard !groups.isEmpty else { return }
        var figures: [GroupSeries: Int64] = [:]
        for group in groups {
            for (topic, lag) in group.lags {
                figures[GroupSeries(metric: self.metrics.lag, labels: [group.group.text, topic.text])] = lag
            }
            if let members = group.members {
                figures[GroupSeries(metric: self.metrics.members, labels: [group.group.text])] = Int64(members)
            }
        }
        self.state.withLock { state in
            for (series, gauge) in state.groupGauges where figures[series] == nil { self.factory.destroyMeter(gauge) }
            state.groupGauges = state.groupGauges.filter { figures[$0.key] != nil }
            for (series, figure) in figures {
                let gauge = state.groupGauges[series] ?? self.factory.gauge(series.metric, series.labels)
                gauge.set(figure)
                state.groupGauges[series] = gauge
            }
            state.groupsMeasuredAt = .now
        }
    }

    /// Sets the figures that depend on the time; also whenever metrics are read, so that nobody waits for the next check
    /// to see them.
    private func updateGauges() {
        self.updateLaneGauges()
        self.updateGroupGauges(at: .now)
    }

    /// Sets the age of what was measured of the groups, and removes it when it is too old.
    func updateGroupGauges(at now: ContinuousClock.Instant) {
        self.state.withLock { state in
            guard let age = state.groupsMeasuredAt.map({ now - $0 }) else { return }
            self.factory.gauge(self.metrics.groupsAge).set(age / .seconds(1))
            guard age > Self.maximumProbeAge else { return }
            for gauge in state.groupGauges.values { self.factory.destroyMeter(gauge) }
            state.groupGauges = [:]
        }
    }

    private func record(_ answer: Probe.Answer, as metric: Metric) {
        self.factory.gauge(metric).set(Int64(answer.failure == nil ? 1 : 0))
    }

    /// Sets the lanes' and handlers' figures.
    private func updateLaneGauges() {
        let (stages, lanes, silence) = self.state.withLock { ($0.stages, $0.lanes, $0.brokerSilence(at: .now)) }
        for stage in stages { stage.updateHandlerGauges() }
        for report in lanes.map(\.report) {
            let figures: [(Metric, Double)] = [
                (self.metrics.laneReady, report.isReady && silence == nil ? 1 : 0),
                (self.metrics.laneStalled, Double(report.stalled.count)),
                (self.metrics.laneStallDuration, report.longestStall / .seconds(1)),
                (self.metrics.laneRoundAge, report.sinceLastRound / .seconds(1)),
                (self.metrics.parkedAge, report.longestParked / .seconds(1)),
            ]
            for (metric, figure) in figures {
                for metric in [metric, metric.former].compactMap(\.self) {
                    self.factory.gauge(metric, [report.role, report.lane]).set(figure)
                }
            }
        }
    }

    // MARK: Pages

    /// The pages of the HTTP server, by path.
    var pages: [String: @Sendable () async -> HTTPServerResponse] {
        var pages: [String: @Sendable () async -> HTTPServerResponse] = [
            "/livez": { self.live }, "/readyz": { self.ready(at: .now) },
        ]
        if let registry = self.registry {
            pages["/metrics"] = {
                HTTPServerResponse(type: "text/plain; version=0.0.4; charset=utf-8", text: registry.text())
            }
        }
        return pages
    }

    private var live: HTTPServerResponse {
        let stuck = self.state.withLock(\.lanes)
            .map(\.report).filter { $0.phase == .working && $0.sinceLastRound > Self.stuckAfter }
        let lines = stuck.map { report in
            "\(Self.name(report)): has made no progress in its loop for \(report.sinceLastRound.components.seconds) s\n"
        }
        return Self.page(lines, isHealthy: stuck.isEmpty)
    }

    /// Whether the process is ready, at a time that is not before the last check.
    func ready(at now: ContinuousClock.Instant) -> HTTPServerResponse {
        let state = self.state.withLock(\.self)
        let lanes = state.lanes.map(\.report)
        let silence = state.brokerSilence(at: now)
        var isHealthy = silence == nil && lanes.allSatisfy(\.isReady)
        var lines = lanes.map { lane in
            var text = ([lane.description] + lane.notes).joined(separator: "; ")
            // A lane learns of a lost broker only when its session ends, and a standby not even then.
            if lane.isReady, let silence {
                text = "cannot work: the broker \(silence) (last report: \(lane.description))"
            }
            return "\(lane.isReady && silence == nil ? "ok" : "NOT OK"): \(Self.name(lane)): \(text)\n"
        }
        lines += Self.pauses(of: lanes)
        for (name, isRequired, problem) in state.parts {
            let problem = problem()
            if isRequired, problem != nil { isHealthy = false }
            lines.append("\(problem == nil ? "ok" : "NOT OK"): \(name): \(problem ?? "ready")\n")
        }
        for (name, answer) in [("broker", state.broker), ("store", state.store)] {
            switch answer {
            case nil where name == "store" && !self.probe.hasStore: continue
            case nil:
                isHealthy = false
                lines.append("NOT OK: \(name): not checked yet\n")
            case .success(let at) where now - at <= Self.maximumProbeAge:
                lines.append("ok: \(name): \(name == "store" ? "accepts writes" : "answers")\n")
            case .success(let at):
                isHealthy = false
                let age = (now - at).components.seconds
                lines.append("NOT OK: \(name): has not answered for \(age) s\n")
            case .failure(let failure):
                isHealthy = false
                lines.append("NOT OK: \(name): \(failure.description)\n")
            }
        }
        return Self.page(lines, isHealthy: isHealthy)
    }

    /// A line for each pause, which is no fault of the process.
    private static func pauses(of lanes: [LaneHealth.Report]) -> [String] {
        var roles: [Pause: Set<String>] = [:]
        for lane in lanes { for pause in lane.pauses { roles[pause, default: []].insert(lane.role) } }
        return
            roles.map { pause, roles in
                let stages = Stage.allCases.map(\.rawValue).filter(roles.contains).joined(separator: ", ")
                let why = pause.reason.map { ": \($0)" } ?? ""
                return "ok: \(ProcessHealth.pausePart): \(pause.target) is paused in \(stages) since \(pause.since) "
                    + "by \(pause.by)\(why)\n"
            }
            .sorted()
    }

    private static func page(_ lines: [String], isHealthy: Bool) -> HTTPServerResponse {
        HTTPServerResponse(
            status: isHealthy ? 200 : 503,
            text: (isHealthy ? "ok\n" : "NOT OK\n") + lines.map { SafeText.line(String($0.dropLast())) + "\n" }.joined()
        )
    }

    private static func name(_ report: LaneHealth.Report) -> String { "\(report.role) \(report.lane)" }
}

extension Probe.Answer {
    /// Why there was no answer; nil when there was one.
    fileprivate var failure: Probe.Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// Counts the open interactions in the records; since it reads all of them, it uses at most a twentieth of the time.
actor OpenInteractions {
    private let path: String
    private var next = ContinuousClock.now

    /// Creates a counter for a record database, which need not exist yet.
    init(_ path: String) { self.path = path }

    /// What is open; nil when it is not time to count again, or counting is not possible.
    func count() async -> OpenCounts? {
        guard .now >= self.next else { return nil }
        let began = ContinuousClock.now
        // Opened each time: a recreated file has another identity under the same path.
        let open = try? await RecordArchive.open(at: self.path).openCounts()
        self.next = .now + (.now - began) * 20
        return open
    }
}
