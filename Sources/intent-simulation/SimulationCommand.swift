import ArgumentParser
import IntentSimulation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs seeds and says which do not hold.
@main
struct SimulationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intent-simulation",
        abstract: "Runs the pipeline and the recorder under a seeded scheduler with faults, and checks what is left."
    )

    @Option(help: "How many seeds to run.")
    var seeds = 100

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Option(help: "Run this seed alone.")
    var seed: UInt64?

    @Flag(help: "Print what happens.")
    var trace = false

    @Flag(help: "Print a line a seed.")
    var verbose = false

    @Flag(help: "Run each seed twice and compare every choice.")
    var twice = false

    static func main() {
        // A dictionary's order must not depend on the process.
        guard getenv("SWIFT_DETERMINISTIC_HASHING") != nil else {
            setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
            var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
            execv("/proc/self/exe", &arguments)
            fatalError("The process cannot start itself again.")
        }
        Self.main(nil)
    }

    func run() throws {
        let clock = ContinuousClock()
        let began = clock.now
        let seeds = self.seed.map { $0...$0 } ?? self.from...(self.from + UInt64(max(1, self.seeds)) - 1)
        var failed = 0
        for seed in seeds {
            let start = clock.now
            let outcome = Simulation.run(seed: seed, isTraced: self.trace)
            if self.verbose { print("seed \(seed): \(outcome.steps) steps, \(outcome.faults) faults, \(outcome.milliseconds) ms simulated, \(clock.now - start)") }
            for line in outcome.trace { print(line) }
            var violations = outcome.violations
            if self.twice, Simulation.run(seed: seed).fingerprint != outcome.fingerprint {
                violations.append("determinism: the second run went another way")
            }
            guard !violations.isEmpty else { continue }
            failed += 1
            for violation in violations { print("seed \(seed): \(violation)") }
        }
        print("\(seeds.count) seeds, \(failed) failed, \(clock.now - began)")
        if failed > 0 { throw ExitCode(1) }
    }
}
