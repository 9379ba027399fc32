import ArgumentParser
import CAllocations
import IntentLab
import IntentRuntime
import OTLPTraces

/// Counts the memory blocks that a turn allocates, and fails when there are too many.
///
/// It is a program of its own, because the counting code is linked into it and into nothing else. Figures of a debug
/// build say little: values that the optimizer keeps on the stack are allocated there.
@main
struct TurnAllocations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turn-allocations",
        abstract: "Counts the allocations of a turn on a log in memory."
    )

    @Option(help: "How many requests are sent.")
    var events = 20_000

    @Option(help: "How many allocations a turn may take.")
    var atMost: Double?

    @Flag(help: "Have a handler in Swift carry the intent out, in place of a declaration.")
    var typed = false

    @Option(help: "The share of requests that are traced.")
    var traceSample: Double?

    func run() async throws {
        guard allocations_are_counted() else {
            throw ValidationError("Allocations are counted on Linux with glibc only.")
        }
        var configuration = MemoryPipeline.Configuration(
            registry: try self.typed ? TypedBooking.registry() : BenchmarkIntent.registry()
        )
        configuration.gauge = { Double(allocations_so_far()) }
        configuration.tracing = self.traceSample.map {
            // What is beyond the queue is dropped, as without a collector.
            TurnTracing(tracer: OTLPTracer(queue: SpanQueue(limit: 1_000)), sampler: TraceSampler(share: $0))
        }
        let count = try await MemoryPipeline(configuration).process(self.events)
        let turns = Double(self.events * MemoryPipeline.turnsPerRequest)
        let figure = (count / turns * 10).rounded() / 10
        print("\(figure) allocations a turn")
        if let atMost = self.atMost, figure > atMost {
            throw BenchmarkError("A turn may take \(atMost) allocations.")
        }
    }
}
