internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import Logging

/// A place in the deployment: a process of that name is started again whenever it has died.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Member: @unchecked Sendable {
    let name: String
    private let duties: [Duty]
    private unowned let world: World
    /// The process that has the name now.
    private(set) var process: SimulatedProcess
    /// All processes that have had it, for the end.
    private(set) var processes: [SimulatedProcess] = []
    /// What the processes do.
    private(set) var tasks: [Task<Void, Never>] = []

    /// Makes a place in which nothing runs yet.
    init(name: String, duties: [Duty], world: World) {
        self.name = name
        self.duties = duties
        self.world = world
        self.process = SimulatedProcess(name: name, incarnation: 0)
        self.process.phase = .dead
    }

    /// Starts a process.
    func start() {
        guard !self.world.isOver else { return }
        let process = SimulatedProcess(name: self.name, incarnation: self.processes.count + 1)
        process.clockError = self.processes.last?.clockError ?? self.world.faults.clockError()
        self.process = process
        self.processes.append(process)
        self.world.trace.note("starts \(process.description)")
        let clock = ProcessClock(self.world.scheduler, process)
        let log = SimulatedLog(self.world, process)
        for duty in self.duties {
            let body: @Sendable () async -> Void
            switch duty {
            case .stage(let stage):
                let worker = self.worker(of: stage, log, clock, process)
                body = { await worker.run() }
            case .recorder:
                let recorder = self.recorder(log, clock)
                body = { try? await recorder.run() }
            }
            self.tasks.append(self.world.scheduler.spawn(in: process, body))
        }
    }

    private var logger: Logger {
        let trace = self.world.trace
        return Logger(label: self.name) { _ in TraceLogHandler(trace: trace) }
    }

    private func worker(
        of stage: Stage,
        _ log: SimulatedLog,
        _ clock: ProcessClock,
        _ process: SimulatedProcess
    ) -> StageWorker {
        var configuration = StageWorker.Configuration(stage: stage, name: self.name)
        configuration.settings = self.world.plan.settings
        configuration.sessionTimeout = self.world.plan.sessionTimeout
        let faults = self.world.faults
        if self.world.plan.spills { configuration.makeSpill = { _ in SimulatedSpill(faults: faults) } }
        return StageWorker(
            configuration,
            deployment: self.world.deployment,
            log: log,
            registry: SimulatedIntent.registry(clock: clock, service: self.world.service, hangs: self.world.hangs),
            ledger: self.world.store,
            clock: clock,
            logger: self.logger
        )
    }

    private func recorder(_ log: SimulatedLog, _ clock: ProcessClock) -> Recorder {
        var configuration = Recorder.Configuration(prefix: "intents", name: self.name)
        configuration.clock = clock
        return Recorder(log: log, store: self.world.records, configuration: configuration, logger: self.logger)
    }
}

/// Writes what processes log into the trace.
private struct TraceLogHandler: LogHandler {
    let trace: Trace
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init(trace: Trace) { self.trace = trace }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        self.trace.note("logs: \(event.message) \(self.metadata.merging(event.metadata ?? [:]) { $1 })")
    }
}
