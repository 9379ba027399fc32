public import ArgumentParser
import Foundation
import Logging
import SQLiteStore

/// The live benchmark: the cost of the pipeline on a broker, beside a bare copy over the same hops in the same run.
///
/// It is a target of the main package, because the measured code has `package` access, which a package of its own
/// cannot see. That package, `Benchmarks/`, holds the executables, and it alone depends on the benchmark framework.
/// Absolute figures say as much about the machine and its load as about the code: compare ratios within one run.
public struct PipelineBenchmark: AsyncParsableCommand {
    /// The text of `--help`.
    public static let configuration = CommandConfiguration(
        commandName: "pipeline-benchmark",
        abstract: "Measures the pipeline on a broker, next to a bare transactional copy over the same three hops.",
        discussion: """
            Without --brokers, an embedded broker runs in this process; broker, workers and client then share its \
            cores, and the CPU figures hold all of them.
            """
    )

    @Option(help: "A broker to measure on, HOST:PORT; topics of random prefixes stay there.")
    var brokers: String?

    @Option(name: .customLong("property"), help: "A librdkafka property, NAME=VALUE; may be given more than once.")
    var properties: [String] = []

    @Option(help: "How many requests the backlog has.")
    var events = 50_000

    @Option(help: "The fixed rates of the latency measurements, in requests a second, separated by commas.")
    var rates = "500,2000"

    @Option(help: "How many partitions each topic has.")
    var partitions = 8

    @Option(help: "How many lanes each stage, and each hop of the copy, has.")
    var lanes = 1

    @Option(help: "How many seconds each latency measurement takes, after its warm-up.")
    var seconds = 20

    @Option(help: "How many seconds of each latency measurement are left out at its beginning.")
    var warmUp = 5

    @Option(help: "How many users send the requests, in turn.")
    var users = 10_000

    @Option(help: "How often each measurement is made, copy and pipeline in turn; the median is shown.")
    var rounds = 1

    @Flag(help: "Print the figures as JSON.")
    var json = false

    @Flag(help: "Measure instead what handlers that take long for some users do to the others.")
    var slowUsers = false

    @Option(help: "With --slow-users: how many requests the user has for whom the handler takes five minutes.")
    var queued = 20_000

    @Option(help: "With --slow-users: for how many users the handler blocks its thread for a minute.")
    var blocked = 48

    @Flag(help: "Measure instead how fast what was processed is replayed, and what the journal takes.")
    var replay = false

    @Flag(help: "Measure instead how fast a worker that starts takes over what was remembered.")
    var restore = false

    @Flag(help: "Measure instead what conversations take: prompts, a confirmation, an effect in the ledger.")
    var conversation = false

    @Flag(help: "Measure instead what recording takes by itself, without a broker.")
    var record = false

    /// Creates a benchmark with the defaults.
    public init() {}

    /// The main function of an executable: reads the command line, measures, and exits with the status.
    public static func execute() async {
        StoreLibrary.configure()
        await Self.main()
    }

    /// Checks the numbers.
    public func validate() throws {
        guard self.fixedRates != nil else {
            throw ValidationError("--rates takes positive numbers separated by commas, not \(self.rates).")
        }
        if let property = self.properties.first(where: { !$0.contains("=") }) {
            throw ValidationError("--property takes NAME=VALUE, not \(property).")
        }
        let numbers = [
            ("events", self.events), ("partitions", self.partitions), ("lanes", self.lanes),
            ("seconds", self.seconds), ("users", self.users), ("rounds", self.rounds), ("queued", self.queued),
            ("blocked", self.blocked),
        ]
        if let (name, number) = numbers.first(where: { $0.1 < 1 }) {
            throw ValidationError("--\(name) takes a positive number, not \(number).")
        }
    }

    /// Measures, and prints the figures.
    public func run() async throws {
        if self.record {
            var report = Report()
            try await RecorderCheck(requests: self.events, rounds: self.rounds).run(into: &report)
            print(self.json ? try report.json() : report.table())
            return
        }
        try await MeasuredLog.with(brokers: self.brokers, properties: self.properties, self.shape) { bench in
            var report = Report()
            if self.slowUsers {
                let check = SlowUserCheck(
                    bench: bench,
                    seconds: self.seconds,
                    warmUp: self.warmUp,
                    queued: self.queued,
                    blocked: self.blocked
                )
                try await check.run(rate: self.fixedRates?.first ?? 500, into: &report)
            } else if self.replay {
                try await ReplayCheck(bench: bench, events: self.events).run(into: &report)
            } else if self.conversation {
                let check = ConversationCheck(bench: bench, conversations: self.events, rounds: self.rounds)
                try await check.run(into: &report)
            } else if self.restore {
                try await RestoreCheck(bench: bench, events: self.events).run(into: &report)
            } else {
                try await Comparison(bench: bench, options: self).run(into: &report)
            }
            print(self.json ? try report.json() : report.table())
        }
    }

    /// The rates as numbers; nil when they are invalid.
    var fixedRates: [Int]? {
        let rates = self.rates.split(separator: ",").map { Int($0) ?? 0 }
        return rates.isEmpty || rates.contains { $0 < 1 } ? nil : rates
    }

    private var shape: MeasuredLog.Shape {
        MeasuredLog.Shape(partitions: self.partitions, lanes: self.lanes, users: self.users)
    }
}
