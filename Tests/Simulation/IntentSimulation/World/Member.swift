internal import IntentEvents
internal import IntentKit
internal import IntentLab
internal import IntentRecords
internal import IntentRuntime
internal import Logging

/// A member of the deployment: a process of that name is started again whenever it has ended.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Member: @unchecked Sendable {
    let name: String
    let roles: [MemberRole]
    private unowned let world: World
    /// The current process.
    private(set) var process: SimulatedProcess
    /// All processes so far, for the end.
    private(set) var processes: [SimulatedProcess] = []
    /// The processes' tasks.
    private var tasks: [Task<Void, Never>] = []
    /// The current process's tasks, with the way to stop each.
    private var work: [(task: Task<Void, Never>, stop: @Sendable () -> Void)] = []
    /// The spills of its lanes, by stage: a disk that outlives processes.
    private var spills: [Stage: SimulatedSpill] = [:]

    /// The marks of its processes' turns: the same disk.
    private(set) lazy var marks = SimulatedMarks(self.world)

    /// Creates a member without a process.
    init(name: String, roles: [MemberRole], world: World) {
        self.name = name
        self.roles = roles
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
        self.world.trace.record("starts \(process.description)")
        for one in self.world.operators { one.noteStart() }
        let clock = ProcessClock(self.world.scheduler, process)
        let log = SimulatedLog(self.world, process)
        let crashes = CrashWatch(self.marks.reopen(clock), marks: self.marks, clock: clock)
        self.work = self.roles.map { role in
            switch role {
            case .stage(let stage):
                let worker = self.worker(of: stage, log, clock, process, crashes)
                return (self.world.scheduler.spawn(in: process) { await self.run(worker) }, { worker.stop() })
            case .recorder:
                let recorder = self.recorder(log, clock)
                let task = self.world.scheduler.spawn(in: process) { try? await recorder.run() }
                return (task, { task.cancel() })
            }
        }
        self.tasks += self.work.map(\.task)
    }

    /// Ends everything, because the simulation is over.
    func end() {
        for task in self.tasks { task.cancel() }
        // Breaks the cycle: workers refer to the world, and the world refers to this.
        self.work = []
        self.spills = [:]
    }

    /// Asks the process to leave, and starts the next one when it has left; a stopped process receives the request when
    /// it continues.
    ///
    /// - Parameters:
    ///   - pause: The time during which no process has the name.
    ///   - isImpatient: Called if the process has not left after as long as operators wait.
    func restart(after pause: Duration, isImpatient: @escaping (SimulatedProcess) -> Void) {
        let process = self.process
        guard process.phase != .dead, !process.isLeaving else { return }
        process.isLeaving = true
        self.world.trace.record("\(process.description) is asked to leave")
        let work = self.work
        let world = self.world
        world.scheduler.perform(as: process) { for (_, stop) in work { stop() } }
        _ = world.scheduler.spawn(in: world.scheduler.world) {
            for (task, _) in work { await task.value }
            guard process.phase != .dead else { return }
            world.trace.record("\(process.description) has left")
            world.scheduler.kill(process)
            world.scheduler.at(pause) { if self.process === process { self.start() } }
        }
        world.scheduler.at(.seconds(15)) { if process.phase != .dead { isImpatient(process) } }
    }

    /// Runs a worker; one that stops because of what it has read abandons its users, which the checks find.
    private func run(_ worker: StageWorker) async {
        do {
            try await worker.run()
        } catch {
            self.world.trace.record("\(self.name) has left: \(error)")
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
        _ process: SimulatedProcess,
        _ crashes: CrashWatch
    ) -> StageWorker {
        let registry = SimulatedIntent.registry(
            clock: clock,
            service: self.world.service,
            hangs: self.world.hangs,
            asksBack: self.world.plan.asksBack,
            trap: { [unowned self] in await self.world.traps.meet($0, stage: $1, self, process) }
        )
        var wiring = StageWiring(self.world.deployment, on: log, registry: registry, ledger: self.world.store)
        wiring.name = self.name
        wiring.clock = clock
        wiring.logger = self.logger
        wiring.configure = { configuration in
            configuration.settings = self.world.plan.settings
            configuration.settings.maxCrashes = self.world.traps.maxCrashes
            configuration.crashes = crashes
            configuration.tracing = self.world.tracing
            configuration.settings.formats = self.world.plan.formats(
                ofStart: self.processes.count + Int(self.name.utf8.last ?? 0)
            )
            configuration.sessionTimeout = self.world.plan.sessionTimeout
            if self.world.plan.spills { configuration.makeSpill = { _ in self.spill(of: stage) } }
        }
        return wiring.worker(stage)
    }

    private func spill(of stage: Stage) -> SimulatedSpill {
        // Sometimes a process starts on another machine, which has no file.
        if !self.processes.count.isMultiple(of: 5), let spill = self.spills[stage] {
            spill.reopen()
            return spill
        }
        let spill = SimulatedSpill(faults: self.world.faults)
        self.spills[stage] = spill
        return spill
    }

    private func recorder(_ log: SimulatedLog, _ clock: ProcessClock) -> Recorder {
        var configuration = Recorder.Configuration(prefix: "intents", name: self.name)
        configuration.clock = clock
        configuration.deployment = self.world.deployment
        configuration.formats = self.world.plan.formats(ofStart: 0)
        return Recorder(log: log, store: self.world.records, configuration: configuration, logger: self.logger)
    }
}

/// Writes the processes' log into the trace.
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
        self.trace.record("logs: \(event.message) \(self.metadata.merging(event.metadata ?? [:]) { $1 })")
    }
}
