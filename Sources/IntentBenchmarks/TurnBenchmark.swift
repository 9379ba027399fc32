public import ArgumentParser

/// What a turn costs in processor time, without a broker: the three stages over a log in memory, journal and digests
/// included.
public struct TurnBenchmark: AsyncParsableCommand {
    /// What `--help` says.
    public static let configuration = CommandConfiguration(
        commandName: "turn-benchmark",
        abstract: "Measures the processor time of a turn on a log in memory."
    )

    @Option(help: "How many requests are sent.")
    var events = 20_000

    @Option(help: "How many users send them, in turn.")
    var users = 1_000

    @Option(help: "How often it is measured.")
    var rounds = 3

    /// A benchmark with the defaults.
    public init() {}

    /// What an executable does: reads the command line, measures, and leaves with the exit status.
    public static func execute() async { await Self.main() }

    /// Checks the numbers.
    public func validate() throws {
        guard self.events > 0, self.users > 0, self.rounds > 0 else {
            throw ValidationError("--events, --users and --rounds take positive numbers.")
        }
    }

    /// Measures, and prints a line a round.
    public func run() async throws {
        for _ in 0..<self.rounds {
            let seconds = try await MemoryPipeline.run(events: self.events, users: self.users)
            let turns = Double(self.events * MemoryPipeline.turnsPerRequest)
            print("\((seconds * 1e7 / turns).rounded() / 10) µs of processor time a turn")
        }
    }
}
