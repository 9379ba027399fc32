public import ArgumentParser
import Foundation
import IntentKit
import IntentLab
import IntentLedger
import PrometheusMetrics
import SQLiteStore

/// The cost of a turn in processor time, without a broker: the three stages on a log in memory, including journal and
/// digests.
public struct TurnBenchmark: AsyncParsableCommand {
    /// The text of `--help`.
    public static let configuration = CommandConfiguration(
        commandName: "turn-benchmark",
        abstract: "Measures the processor time of a turn on a log in memory."
    )

    @Option(help: "How many requests are sent, or conversations led.")
    var events = 20_000

    @Option(help: "How many users send them, in turn.")
    var users = 1_000

    @Option(help: "How many partitions each topic has.")
    var partitions = 8

    @Option(help: "How many requests are processed before those that are measured; the stages remember them.")
    var remembered = 0

    @Flag(help: "Keep state that is not needed now in files, as deployments do.")
    var spill = false

    @Flag(help: "Measure turns as deployments do, for Prometheus.")
    var metrics = false

    @Flag(help: "Lead conversations: a list to resolve, two prompts, a confirmation, an effect in the ledger.")
    var conversation = false

    @Option(help: "How often it is measured.")
    var rounds = 3

    /// Creates a benchmark with the defaults.
    public init() {}

    /// The main function of an executable: reads the command line, measures, and exits with the status.
    public static func execute() async {
        StoreLibrary.configure()
        await Self.main()
    }

    /// Checks the numbers.
    public func validate() throws {
        guard [self.events, self.users, self.partitions, self.rounds].allSatisfy({ $0 > 0 }), self.remembered >= 0
        else {
            throw ValidationError("--events, --users, --partitions and --rounds take positive numbers.")
        }
        guard !self.conversation || self.remembered == 0 else {
            throw ValidationError("--remembered is for requests without a conversation.")
        }
    }

    /// Measures, and prints one line per round.
    public func run() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "turn-benchmark-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for round in 0..<self.rounds {
            let path = directory.appending(path: "\(round)")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            print(self.conversation ? try await self.leadConversations(in: path) : try await self.process(in: path))
        }
    }

    private func process(in directory: URL) async throws -> String {
        var configuration = self.configuration(try BenchmarkIntent.registry(), directory)
        configuration.remembered = self.remembered
        let seconds = try await MemoryPipeline(configuration).process(self.events)
        let turns = self.events * MemoryPipeline.turnsPerRequest
        return "\(Self.microseconds(seconds, turns)) µs of processor time a turn"
    }

    private func leadConversations(in directory: URL) async throws -> String {
        var configuration = self.configuration(try GroceryOrder.registry(), directory)
        configuration.ledger = try await SQLiteLedger.open(
            at: directory.appending(path: "store.sqlite").path,
            migrations: [GroceryOrder.migration]
        )
        let pipeline = try await MemoryPipeline(configuration)
        let workload = ConversationWorkload(on: pipeline.log, pipeline.deployment, users: self.users)
        var seconds = 0.0
        try await pipeline.run { seconds = try await workload.run(self.events).used }
        let turns = try await pipeline.turns()
        return "\(Self.microseconds(seconds, self.events)) µs of processor time a conversation, "
            + "\(Self.microseconds(seconds, turns)) µs a turn"
    }

    private func configuration(_ registry: IntentRegistry, _ directory: URL) -> MemoryPipeline.Configuration {
        var configuration = MemoryPipeline.Configuration(registry: registry)
        configuration.users = self.users
        configuration.partitions = self.partitions
        configuration.metrics = self.metrics ? PrometheusRegistry() : nil
        if self.spill {
            configuration.makeSpill = { stage, deployment in
                let path = directory.appending(path: "\(stage)-state.sqlite").path
                return try await SQLiteStateSpill.open(at: path, deployment: deployment)
            }
        }
        return configuration
    }

    private static func microseconds(_ seconds: Double, _ count: Int) -> Double {
        (seconds * 1e7 / Double(count)).rounded() / 10
    }
}
