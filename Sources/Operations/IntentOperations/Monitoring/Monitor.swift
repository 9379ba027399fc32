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
/// or the store does not answer. A broker that is down is no reason to restart, so `/livez` ignores it.
package final class Monitor: Service {
    /// The time for one round after which a lane counts as stuck: slow turns are parked, and do not wait in the loop.
    static let stuckAfter = Duration.seconds(120)
    /// The interval at which broker and store are checked.
    static let interval = Duration.seconds(5)
    /// The time for which their last answer is valid.
    static let maximumProbeAge = Duration.seconds(15)

    /// The registry that exposes the metrics; nil when the package has a backend of its own.
    let registry: PrometheusRegistry?
    package let factory: any MetricsFactory

    private struct State {
        var lanes: [LaneHealth] = []
        var stages: [StageMetrics] = []
        var broker: Probe.Answer?
        var answers = BrokerAnswers()
        var store: Probe.Answer?
        var roles: [WorkerRole] = []
        var open: OpenInteractions?
        var crashes: CrashWatch?
        var embeddedBroker: BrokerMetrics?
        var parts: [(name: String, problem: @Sendable () -> String?)] = []
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
        registry?.onCollect { [weak self] in self?.updateLaneGauges() }
    }

    func watch(_ lanes: [LaneHealth]) { self.state.withLock { $0.lanes += lanes } }

    /// Watches the lanes of a stage, and measures its handlers.
    func watch(_ worker: StageWorker) {
        self.watch(worker.health)
        if let metrics = worker.metrics { self.state.withLock { $0.stages.append(metrics) } }
    }

    /// Watches a part of the process, which is not ready while the function returns a problem.
    package func watch(_ name: String, problem: @escaping @Sendable () -> String?) {
        self.state.withLock { $0.parts.append((name, problem)) }
    }

    /// Measures the lag of a group.
    func watch(_ role: WorkerRole) { self.state.withLock { $0.roles.append(role) } }

    /// Measures the activity of this process's embedded broker.
    func watch(_ broker: BrokerHost) { self.state.withLock { $0.embeddedBroker = BrokerMetrics(broker) } }

    /// Measures the number of suspected turns.
    func watch(_ crashes: CrashWatch) { self.state.withLock { $0.crashes = crashes } }

    /// Measures the number of open interactions in a record database.
    func watch(records path: String) { self.state.withLock { $0.open = OpenInteractions(path) } }

    /// Checks broker and store repeatedly, until the group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.poll()
                try? await Task.sleep(for: Self.interval)
            }
        }
        await self.probe.close()
    }

    /// Checks broker and store once.
    func poll() async {
        let roles = self.state.withLock(\.roles)
        let (broker, lags) = await self.probe.askBroker(roles)
        let change = self.state.withLock { state in
            state.broker = broker
            return state.answers.record(failure: broker.failure?.description)
        }
        self.record(broker, as: self.metrics.brokerAnswers)
        change?.log(self.logger)
        for (group, topic, lag) in lags {
            self.factory.gauge(self.metrics.lag, [group.text, topic.text]).set(lag)
        }
        if let open = self.state.withLock(\.open), let count = await open.count() {
            self.factory.gauge(self.metrics.openInteractions).set(Int64(count))
        }
        if let crashes = self.state.withLock(\.crashes) {
            self.factory.gauge(self.metrics.suspectedTurns).set(Int64(crashes.suspectCount))
        }
        self.state.withLock { $0.embeddedBroker?.record(in: self.factory) }
        let store = await self.probe.askStore()
        self.state.withLock { $0.store = store }
        if let store { self.record(store, as: self.metrics.storeAnswers) }
        self.updateLaneGauges()
    }

    private func record(_ answer: Probe.Answer, as metric: Metric) {
        self.factory.gauge(metric).set(Int64(answer.failure == nil ? 1 : 0))
    }

    /// Sets the lanes' and handlers' figures; also whenever metrics are read, so that nobody waits for the next check to
    /// see them.
    private func updateLaneGauges() {
        for stage in self.state.withLock(\.stages) { stage.updateHandlerGauges() }
        for report in self.state.withLock(\.lanes).map(\.report) {
            let figures: [(Metric, Double)] = [
                (self.metrics.laneReady, report.isReady ? 1 : 0),
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
        var isHealthy = lanes.allSatisfy(\.isReady)
        var lines = lanes.map { lane in
            let text = ([lane.description] + lane.notes).joined(separator: "; ")
            return "\(lane.isReady ? "ok" : "NOT OK"): \(Self.name(lane)): \(text)\n"
        }
        for (name, problem) in state.parts {
            let problem = problem()
            if problem != nil { isHealthy = false }
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
            case .success:
                isHealthy = false
                lines.append("NOT OK: \(name): no recent answer\n")
            case .failure(let failure):
                isHealthy = false
                lines.append("NOT OK: \(name): \(failure.description)\n")
            }
        }
        return Self.page(lines, isHealthy: isHealthy)
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

    /// The number of open interactions; nil when it is not time to count again, or counting is not possible.
    func count() async -> Int? {
        guard .now >= self.next else { return nil }
        let began = ContinuousClock.now
        // Opened each time: a recreated file has another identity under the same path.
        let open = try? await RecordArchive.open(at: self.path).openCounts().interactions
        self.next = .now + (.now - began) * 20
        return open
    }
}
