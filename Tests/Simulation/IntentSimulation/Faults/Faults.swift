internal import InMemoryLog
internal import IntentEvents
internal import IntentLab
internal import IntentRuntime

/// The faults: drawn from the seed, at critical points and at any time, until the quiet phase.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Faults: @unchecked Sendable {
    /// A point in the code at which a process yields, and at which a fault may happen to it.
    enum Point {
        /// Records were fetched and not processed yet.
        case fetched
        /// A call goes out to the log.
        case request
        /// The log's answer comes in.
        case answer
        /// A batch goes out to be committed.
        case commit
        /// A batch was committed, or not, and its lane is about to learn which.
        case committed
        /// State is read back.
        case restoring
        /// An effect is about to be performed.
        case effect
        /// An effect was performed.
        case effectMade
        /// A transaction of the record database begins.
        case transaction
        /// State is evicted or loaded.
        case disk
    }

    /// The members of the deployment.
    var members: [Member] = []
    /// Every lane that was created, with its process.
    private var lanes: [(lane: any TransactionalLane, name: LaneName, group: GroupName, process: SimulatedProcess)] = []
    private var random: SeededNumbers
    private let plan: SeedPlan
    private let scheduler: Scheduler
    private let trace: Trace
    private let log: InMemoryLog
    private var isOver = false
    /// The number of faults.
    private(set) var count = 0
    /// The only fault: the write, from 0, before or after which its process is killed; nil where faults are drawn.
    let crashPoint: Int?
    /// The number of places before and after writes that processes have reached.
    private(set) var writes = 0

    /// Creates the faults of a seed.
    init(
        seed: UInt64,
        plan: SeedPlan,
        scheduler: Scheduler,
        trace: Trace,
        log: InMemoryLog,
        crashPoint: Int? = nil
    ) {
        self.crashPoint = crashPoint
        self.random = SeededNumbers(seed: seed, stream: 4)
        self.plan = plan
        self.scheduler = scheduler
        self.trace = trace
        self.log = log
    }

    private var isOn: Bool { !self.isOver && self.plan.faultRate > 0 }

    // MARK: Points

    /// Yields to other tasks; the process may be dead, stopped or out of its group when this returns, or it may never
    /// return.
    func hop(_ point: Point) async {
        let process = self.scheduler.process
        self.pass(point, of: process)
        if self.isOn, process !== self.scheduler.world, self.random.happens(self.plan.faultRate) {
            self.strike(process, at: "\(point)")
        }
        await self.scheduler.rest(for: self.latency())
    }

    /// Gives a fault the chance to happen to a process that is about to wait.
    func meet(_ point: Point, of process: SimulatedProcess) {
        self.pass(point, of: process)
        guard self.isOn, process !== self.scheduler.world, self.random.happens(self.plan.faultRate) else { return }
        self.strike(process, at: "\(point)")
    }

    /// Counts the places before and after writes to the log and to the store, and kills the process at one of them.
    private func pass(_ point: Point, of process: SimulatedProcess) {
        guard let crashPoint = self.crashPoint, !self.isOver, process !== self.scheduler.world,
            self.member(of: process) != nil
        else { return }
        switch point {
        case .commit, .committed, .effect, .effectMade: break
        case .fetched, .request, .answer, .restoring, .transaction, .disk: return
        }
        if self.writes == crashPoint {
            self.count += 1
            self.kill(process, at: "write \(crashPoint): \(point)")
        }
        self.writes += 1
    }

    /// The duration of an operation that is not instantaneous.
    func latency() -> Duration {
        guard self.isOn, self.random.happens(0.05) else {
            return .microseconds(Int64.random(in: 0...800, using: &self.random))
        }
        return self.random.duration(upTo: .seconds(3))
    }

    /// Whether an operation of that kind fails this time; rarer than other faults.
    func fails(_ what: @autoclosure () -> String, _ factor: Double = 1) -> Bool {
        guard self.isOn, self.random.happens(min(0.5, self.plan.faultRate * factor)) else { return false }
        self.count += 1
        self.trace.record("FAULT \(what())")
        return true
    }

    /// The number of records that a lane gets at once: often fewer than it asked for.
    func limit(_ maxRecords: Int) -> Int {
        guard !self.isOver, self.random.happens(0.3) else { return maxRecords }
        return min(maxRecords, Int.random(in: 1...3, using: &self.random))
    }

    /// Ends as they may have been a while ago.
    func older(_ ends: [TopicPartition: Int64], since earliest: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        var older: [TopicPartition: Int64] = [:]
        for (topicPartition, end) in ends.sorted(by: { $0.key < $1.key }) {
            older[topicPartition] = max(
                earliest[topicPartition] ?? 0,
                end - Int64.random(in: 0...40, using: &self.random)
            )
        }
        return older
    }

    /// True or false with equal probability.
    func coin() -> Bool { self.random.happens(0.5) }

    /// The difference between a machine's clock and the true time.
    func clockError() -> Int64 {
        guard self.isOn, self.random.happens(0.3) else { return 0 }
        return Int64.random(in: -1_500...1_500, using: &self.random)
    }

    // MARK: Faults

    /// Starts the faults that happen at any time.
    func begin() {
        self.scheduler.at(self.plan.quietAfter) { self.end() }
        if self.plan.faultRate > 0 { self.scheduleNext() }
    }

    private func scheduleNext() {
        let mean = self.plan.meanTimeBetweenFaults.milliseconds
        let pause = Int64.random(in: 0...(2 * mean), using: &self.random)
        self.scheduler.at(.milliseconds(pause)) {
            guard self.isOn else { return }
            self.strike(self.random.pick(self.members).process, at: "any time")
            self.scheduleNext()
        }
    }

    private func strike(_ process: SimulatedProcess, at point: String) {
        self.count += 1
        switch Int.random(in: 0..<16, using: &self.random) {
        case 0..<4: self.kill(process, at: point)
        case 4..<8: self.stop(process, at: point)
        case 8, 9: self.rebalance(at: point)
        case 10: self.expelGroup(at: point)
        case 11: self.expelLane(of: process, at: point)
        case 12: self.fence(process, at: point)
        case 13, 14: self.setClock(of: process, at: point)
        default: self.kill(self.random.pick(self.members).process, at: point)
        }
    }

    /// Kills a process; it is started again some time later.
    func kill(_ process: SimulatedProcess, at point: String) {
        guard process.phase != .dead, let member = self.member(of: process) else { return }
        self.trace.record("FAULT kills \(process.description) at \(point)")
        self.scheduler.kill(process)
        self.expelLater(process)
        self.scheduler.at(self.random.duration(upTo: .seconds(10))) {
            if member.process === process { member.start() }
        }
    }

    /// A process crashes; it is started again after that time.
    func die(_ process: SimulatedProcess, at point: String, for duration: Duration) {
        guard process.phase != .dead, let member = self.member(of: process) else { return }
        self.count += 1
        self.trace.record("\(process.description) dies of itself at \(point)")
        self.scheduler.kill(process)
        self.expelLater(process)
        self.scheduler.at(duration) {
            if member.process === process { member.start() }
        }
    }

    private func stop(_ process: SimulatedProcess, at point: String) {
        guard process.phase == .running, self.member(of: process) != nil else { return }
        let duration = self.random.duration(upTo: .seconds(20))
        self.trace.record("FAULT stops \(process.description) at \(point) for \(duration)")
        self.scheduler.pause(process)
        self.expelLater(process, ifStoppedFor: duration)
        self.scheduler.at(duration) {
            self.trace.record("\(process.description) continues")
            self.scheduler.resume(process)
        }
    }

    /// What the group's coordinator does with a silent process.
    private func expelLater(_ process: SimulatedProcess, ifStoppedFor duration: Duration? = nil) {
        let timeout = Duration.milliseconds(self.plan.sessionTimeout)
        if let duration, duration < timeout { return }
        self.scheduler.at(timeout) {
            guard process.phase != .running else { return }
            for lane in self.lanes where lane.process === process { self.log.expel(lane.lane) }
        }
    }

    private var groups: [GroupName] {
        WorkerRole.allCases.map { $0.group(prefix: "intents") }
    }

    private func rebalance(at point: String) {
        let group = self.random.pick(self.groups)
        self.trace.record("FAULT rebalances \(group) at \(point)")
        self.log.rebalance(group)
    }

    private func expelGroup(at point: String) {
        let group = self.random.pick(self.groups)
        self.trace.record("FAULT expels \(group) at \(point)")
        self.log.expel(group)
    }

    private func expelLane(of process: SimulatedProcess, at point: String) {
        let lanes = self.lanes.filter { $0.process === process }
        guard !lanes.isEmpty else { return }
        let lane = self.random.pick(lanes)
        self.trace.record("FAULT expels \(lane.name) from \(lane.group) at \(point)")
        self.log.expel(lane.lane)
    }

    private func fence(_ process: SimulatedProcess, at point: String) {
        let lanes = self.lanes.filter { $0.process === process }
        guard !lanes.isEmpty else { return }
        let lane = self.random.pick(lanes)
        self.trace.record("FAULT fences \(lane.name) of \(lane.group) at \(point)")
        self.log.fence(lane: lane.name, of: lane.group)
    }

    private func setClock(of process: SimulatedProcess, at point: String) {
        let jump = Int64.random(in: -4_000...8_000, using: &self.random)
        self.trace.record("FAULT sets the clock of \(process.description) by \(jump) ms at \(point)")
        process.clockError += jump
    }

    private func member(of process: SimulatedProcess) -> Member? { self.members.first { $0.process === process } }

    /// Registers a lane.
    func record(_ lane: any TransactionalLane, name: LaneName, group: GroupName, of process: SimulatedProcess) {
        self.lanes.append((lane, name, group, process))
        // Its process was killed while the log created it.
        if process.phase == .dead { self.expelLater(process) }
    }

    // MARK: The end

    /// Ends the faults, and starts all processes again.
    private func end() {
        self.trace.record("faults are over")
        self.isOver = true
        for member in self.members {
            switch member.process.phase {
            case .running: break
            case .paused: self.scheduler.resume(member.process)
            case .dead: member.start()
            }
        }
    }
}
