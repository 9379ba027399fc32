internal import InMemoryLog
internal import IntentEvents
internal import IntentKit
internal import IntentLab
internal import IntentRuntime

/// An operator who cancels, retries, pauses and resumes, one act after the other, in a part of the seeds (R82).
///
/// The records are those of ``OperatorAct``, as commands and console write them, but this operator also writes what those
/// refuse: acts on interactions that have ended or belong to somebody else, twice the same, about nothing.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedOperator: @unchecked Sendable {
    /// The numbers that decide which seeds have operators; none of the seeds that are known to have found something has.
    static let stream: UInt64 = 785
    /// The beginning of the ids of acts; clients and stages use others.
    static let prefix = "act-"

    /// An interaction as the operator knows it.
    private struct Target {
        var id: InteractionID
        var user: UserID
        var request: RequestID?
        /// Whether its next attempt can begin now.
        var canRetry = false
    }

    private unowned let world: World
    private let process: SimulatedProcess
    private let by: OperatorAct.Operator
    private var random: SeededNumbers
    private var count = 0
    private var last: OperatorAct?
    /// What the operator has paused and not resumed, as far as the operator knows.
    private var paused: [Pause.Target: Set<Stage>] = [:]
    /// The ids of the acts whose first record was acknowledged.
    private(set) var acknowledged: [String] = []
    /// The number of processes that have started while something was paused.
    private(set) var startsWhilePaused = 0
    /// Whether the last act is written.
    private(set) var isDone = false

    /// Creates an operator of a world.
    init(number: Int, _ world: World) {
        self.world = world
        self.process = SimulatedProcess(name: "operator\(number)", incarnation: 1)
        self.by = OperatorAct.Operator("o\(number)", via: "terminal", reason: "a drill")
        self.random = SeededNumbers(seed: world.seed, stream: 3_000 + UInt64(number))
    }

    /// Acts until some time after the last fault; then everything is resumed, unless the plan leaves pauses.
    func begin() {
        _ = self.world.scheduler.spawn(in: self.process) {
            let end = (self.world.plan.quietAfter + .seconds(5)).milliseconds * 1_000
            let pause = self.random.pick([100, 300, 900])
            while self.world.scheduler.now < end, !self.world.isOver {
                await self.world.scheduler.rest(for: .milliseconds(self.random.below(2 * pause)))
                await self.act()
            }
            while !self.world.plan.leavesPauses, !self.paused.isEmpty, !self.world.isOver { await self.resume() }
            self.isDone = true
        }
    }

    /// A process starts.
    func noteStart() {
        if !self.paused.isEmpty { self.startsWhilePaused += 1 }
    }

    // MARK: Acts

    private func act() async {
        switch self.random.below(100) {
        case 0..<2: if let target = self.open.randomElement(using: &self.random) { await self.act(.cancel, on: target) }
        case 2..<4: await self.act(.cancel, on: self.anyone())
        case 4..<8: await self.act(.retry, on: self.anyone())
        case 8..<12: await self.pause()
        case 12..<18: await self.resume()
        case 18: await self.actOnNothing()
        case 19..<21: if let last { _ = await self.write(last, [self.record(of: last)]) }
        case 21..<60:
            guard let target = self.open.filter(\.canRetry).randomElement(using: &self.random) else { return }
            await self.act(.retry, on: target)
        default: break
        }
    }

    private func act(_ kind: OperatorAct.Kind, on target: Target?) async {
        guard let target else { return }
        var act = OperatorAct(kind, by: self.by)
        act.user = target.user
        act.interaction = target.id
        act.request = target.request
        self.last = act
        _ = await self.write(act, [self.record(of: act)])
    }

    /// Acts that name nothing, or nothing that exists; one of a kind that no stage reads.
    private func actOnNothing() async {
        var act = OperatorAct(self.random.pick([.cancel, .retry, .pause, .pause, .resume, .redrive]), by: self.by)
        switch act.kind {
        case .pause, .resume:
            act.target = self.random.pick([nil, "service:mail"])
            _ = await self.write(act, self.records(of: act, in: Stage.allCases))
        default: _ = await self.write(act, [self.record(of: act)])
        }
    }

    /// Pauses an intent or an app in some stages; sometimes the command is killed when half of its records are written.
    private func pause() async {
        let target: Pause.Target = self.random.pick([
            .intent(SimulatedIntent.intentName), .intent(SimulatedIntent.intentName), .app("Simulation"),
            .intent(SimulatedTask.intentName), .intent("NobodysIntent"), .app("Another"),
        ])
        let stages = self.random.pick([Stage.allCases, [.resolve], [.confirm], [.handle], [.resolve, .handle]])
        // Whatever becomes of the records: some may be written.
        self.paused[target, default: []].formUnion(stages)
        _ = await self.write(.pause, target, in: stages)
    }

    /// Resumes what is paused, in some or in all stages, or what is not.
    private func resume() async {
        let targets = self.paused.keys.sorted { $0.description < $1.description }
        guard let target = targets.randomElement(using: &self.random), let stages = self.paused[target]?.sorted() else {
            _ = await self.write(.resume, .app("Another"), in: [.handle])
            return
        }
        let resumed = self.random.happens(0.3) ? [self.random.pick(stages)] : stages
        guard await self.write(.resume, target, in: resumed) else { return }
        let rest = Set(stages).subtracting(resumed)
        self.paused[target] = rest.isEmpty ? nil : rest
    }

    private func write(_ kind: OperatorAct.Kind, _ target: Pause.Target, in stages: [Stage]) async -> Bool {
        var act = OperatorAct(kind, by: self.by)
        act.target = target.description
        act.details = ["stages": .array(stages.map { .string($0.rawValue) })]
        let records = self.records(of: act, in: stages)
        let written = self.random.happens(0.1) ? Array(records.prefix(records.count / 2 + 1)) : records
        return await self.write(act, written) && written.count == records.count
    }

    // MARK: Targets

    /// The open interactions, as a command finds them in the stages' state.
    private var open: [Target] {
        self.world.history.state.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
            .compactMap { key, text in
                if key.name == StateName.parked, let parked = ParkedTurn(text: text), let id = parked.interactionID {
                    let event = try? parked.event.decoded()
                    return Target(
                        id: id,
                        user: key.user,
                        request: event?.interaction?.request ?? event?.request,
                        canRetry: parked.retryAt != nil
                    )
                }
                guard key.name.hasPrefix(StateName.interactions), let interaction = Interaction(text: text) else {
                    return nil
                }
                let reason = interaction.waiting?.reason
                return Target(
                    id: interaction.id,
                    user: key.user,
                    request: interaction.request,
                    canRetry: reason == .retry || reason == .lookup
                )
            }
    }

    /// Any requested interaction, open or ended; sometimes with the name of another user.
    private func anyone() -> Target? {
        let requests = (0..<self.world.plan.partitions)
            .flatMap { self.world.history.records(of: .requests, $0) }
            .compactMap { try? StoredRecord($0, topic: .requests).decoded() }
            .filter { $0.knownType == .intentRequested && $0.subject != nil }
        guard let event = requests.randomElement(using: &self.random), let id = event.subject else { return nil }
        guard !self.random.happens(0.25) else { return Target(id: id, user: "stranger") }
        // A command names the request that it finds with the interaction: of those that were sent twice, the first.
        let home = self.world.deployment.home(of: event.userID)
        let first = self.world.history.records(of: .requests, home)
            .first { $0.header(EventHeaderName.subject) == id.text && $0.key == Array(event.userID.utf8) }
        return Target(id: id, user: event.userID, request: first.map { RequestID("\(home):\($0.offset)") })
    }

    // MARK: Writing

    private func record(of act: OperatorAct) -> OutgoingRecord { act.record(of: self.world.deployment, now: self.now) }

    private func records(of act: OperatorAct, in stages: [Stage]) -> [OutgoingRecord] {
        act.records(for: stages, of: self.world.deployment, now: self.now)
    }

    private var now: Timestamp { ProcessClock(self.world.scheduler, self.process).now }

    /// Writes an act once; whether it was written is not known when the acknowledgement is lost.
    ///
    /// - Returns: Whether it was acknowledged.
    private func write(_ act: OperatorAct, _ records: [OutgoingRecord]) async -> Bool {
        self.count += 1
        let id = "\(Self.prefix)\(self.by.name)-\(self.count)"
        self.world.trace.record(
            "\(self.by.name) acts: \(id) \(act.kind) \(act.target ?? act.interaction?.text ?? "") \(act.user ?? "") "
                + "\(act.details)"
        )
        do throws(LogError) {
            let producer = SimulatedProducer(
                producer: try await self.world.log.makeProducer(),
                connection: Connection(world: self.world, process: self.process)
            )
            _ = try await producer.send(records.map { $0.named(id) })
            self.acknowledged.append(id)
            return true
        } catch {
            self.world.trace.record("\(self.by.name) does not know whether \(id) was written: \(error)")
            return false
        }
    }
}

extension OutgoingRecord {
    /// The record with another id: that of an act is made by chance.
    fileprivate func named(_ id: String) -> OutgoingRecord {
        var record = self
        record.headers = self.headers.map { $0.name == EventHeaderName.id ? LogHeader($0.name, id) : $0 }
        return record
    }
}
