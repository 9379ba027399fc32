import ArgumentParser
import IntentSimulation

/// Runs seeds and reports the violated invariants.
struct SimulationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intent-simulation",
        abstract: "Runs the pipeline and the recorder under a seeded scheduler with faults, and checks what is left.",
        discussion: """
            Each seed makes a deployment, users and faults of its own: killed and stopped processes, rebalances, fenced \
            lanes, lost answers, clocks that are set, handlers that fail and hang, operators who cancel, retry, pause \
            and resume. A seed that does not hold is run again with its story. The exit status is 1 if there is one.
            """
    )

    @Option(help: "How many seeds to run.")
    var seeds: UInt64 = 1_000

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Option(help: "Run this seed alone, with its story.")
    var seed: UInt64?

    @Option(help: "How many processes run seeds at the same time.")
    var jobs = 1

    @Flag(help: "Print each seed's story, not only the end of those that do not hold.")
    var trace = false

    @Flag(help: "Run each seed twice, the second time with every turn traced, and compare every choice and record.")
    var twice = false

    @Flag(help: "End at the first seed that does not hold.")
    var failFast = false

    @Flag(help: "Have a client write to `requests` what nobody should.")
    var hostile = false

    @Flag(help: "Keep effects on a server whose connections break, as PostgreSQL's do.")
    var server = false

    @Flag(
        help: "Have users ask for long tasks, too: steps, effects, waits, spoken values, offers, asides, follow-ups."
    )
    var tasks = false

    @Flag(
        help: """
            Have operators act in every seed, not only in two of five. A run of 50 seeds or more fails if an act was never \
            carried out or never refused.
            """
    )
    var operators = false

    @Flag(help: "Run a single long task again and again, and kill its process before and after each of its writes.")
    var crashPoints = false

    /// So many seeds have seen each event of operators.
    private static let telling = 50

    func validate() throws {
        guard self.seeds > 0, self.jobs > 0 else { throw ValidationError("There is nothing to run.") }
        guard max(self.from, self.seed ?? 0) <= UInt64.max - self.seeds else {
            throw ValidationError("There are no seeds beyond \(UInt64.max - 1).")
        }
    }

    func run() throws {
        if self.crashPoints { return try self.crashAtEachPoint() }
        let clock = ContinuousClock()
        let began = clock.now
        let seeds = self.seed.map { $0..<($0 + 1) } ?? self.from..<(self.from + self.seeds)
        guard self.jobs == 1 || self.failFast else {
            let isClean = try SeedProcesses(
                jobs: self.jobs,
                isTwice: self.twice,
                isHostile: self.hostile,
                isOnServer: self.server,
                hasTasks: self.tasks,
                hasOperators: self.operators
            )
            .run(seeds)
            self.report(seeds.count, isClean ? "all hold" : "not all hold", began.duration(to: clock.now))
            if !isClean { throw ExitCode(1) }
            return
        }
        var totals = (steps: 0, faults: 0, milliseconds: Int64(0), failed: 0)
        var events: [OperatorEvent: Int] = [:]
        var count = 0
        for seed in seeds {
            let outcome = self.run(seed)
            count += 1
            totals.steps += outcome.steps
            totals.faults += outcome.faults
            totals.milliseconds += outcome.milliseconds
            events.merge(outcome.operatorEvents, uniquingKeysWith: +)
            if !outcome.violations.isEmpty { totals.failed += 1 }
            if self.failFast, totals.failed > 0 { break }
        }
        let hours = Double(totals.milliseconds / 36_000) / 100
        let what = "\(totals.failed) do not hold, \(totals.faults) faults, \(totals.steps) steps, \(hours) h simulated"
        let counts = OperatorEvent.allCases.map { "\(events[$0] ?? 0) \($0.rawValue)" }
        if !events.isEmpty { print("operators: \(counts.joined(separator: ", "))") }
        self.report(count, what, began.duration(to: clock.now))
        let unseen = OperatorEvent.allCases.filter { events[$0] ?? 0 == 0 }
        guard totals.failed == 0 else { throw ExitCode(1) }
        guard self.operators, count >= Self.telling, !unseen.isEmpty else { return }
        print("this says nothing about operators: never \(unseen.map(\.rawValue).joined(separator: ", "))")
        throw ExitCode(1)
    }

    private func run(_ seed: UInt64) -> Simulation.Outcome {
        var outcome = self.play(seed, isTraced: self.trace || self.seed != nil)
        if self.twice {
            let second = self.play(seed, hasSpans: true)
            if second.fingerprint != outcome.fingerprint {
                outcome.violations.append("determinism: the second run went another way")
            }
            if second.records != outcome.records {
                outcome.violations.append("tracing: the second run wrote other records")
            }
            if second.spans == 0 { outcome.violations.append("tracing: the second run has no spans") }
        }
        for line in outcome.trace { print(line) }
        guard !outcome.violations.isEmpty else { return outcome }
        if outcome.trace.isEmpty {
            let story = self.play(seed, isTraced: true).trace
            if story.count > 60 { print("… \(story.count - 60) lines before") }
            for line in story.suffix(60) { print(line) }
        }
        for violation in outcome.violations { print("seed \(seed) does not hold: \(violation)") }
        let flags =
            (self.hostile ? " --hostile" : "") + (self.server ? " --server" : "") + (self.tasks ? " --tasks" : "")
            + (self.operators ? " --operators" : "")
        print("seed \(seed): run it with intent-simulation --seed \(seed)\(flags)")
        return outcome
    }

    /// Counts the places of a task's writes, and runs it again for each of them.
    private func crashAtEachPoint() throws {
        let seed = self.seed ?? self.from
        let count = self.play(seed, crashPoint: Int.max).writes
        var failed = 0
        for point in 0..<count {
            let outcome = self.play(seed, isTraced: self.trace, crashPoint: point)
            var violations = outcome.violations
            if outcome.faults != 1 { violations.append("crash points: \(outcome.faults) processes were killed") }
            for line in outcome.trace { print(line) }
            for violation in violations { print("crash point \(point) of seed \(seed) does not hold: \(violation)") }
            if !violations.isEmpty { failed += 1 }
        }
        print("\(count) crash points: \(failed) do not hold")
        if failed > 0 || count == 0 { throw ExitCode(1) }
    }

    private func play(
        _ seed: UInt64,
        isTraced: Bool = false,
        hasSpans: Bool = false,
        crashPoint: Int? = nil
    ) -> Simulation.Outcome {
        Simulation.run(
            seed: seed,
            isTraced: isTraced,
            isHostile: self.hostile,
            hasSpans: hasSpans,
            isOnServer: self.server,
            hasTasks: self.tasks,
            hasOperators: self.operators,
            crashPoint: crashPoint
        )
    }

    private func report(_ count: Int, _ what: String, _ duration: Duration) {
        let rate = Double(count) / max(0.001, duration / .seconds(1))
        print("\(count) seeds: \(what); \(Double(Int(rate * 10)) / 10) seeds/s")
    }
}
