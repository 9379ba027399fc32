import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab

extension MicroBenchmark {
    /// All micro-benchmarks, in the order of an event's path.
    public static let all: [MicroBenchmark] = [
        MicroBenchmark("json: parse an event") {
            let value = try MicroEvent().value
            return { Self.consume(try JSONValue(parsing: value)) }
        },
        MicroBenchmark("json: write an event") {
            let json = try MicroEvent().event.data
            return { Self.consume(json.utf8) }
        },
        MicroBenchmark("event: decode") {
            let stored = try MicroEvent().stored
            return { Self.consume(try stored.decoded()) }
        },
        MicroBenchmark("event: headers") {
            let event = try MicroEvent().event
            return { Self.consume(event.headers) }
        },
        MicroBenchmark("turn: resolve") {
            let event = try MicroEvent()
            return { Self.consume(try await event.resolve()) }
        },
        MicroBenchmark("turn: one id") {
            let identifiers = try MicroEvent().identifiers
            return { Self.consume(identifiers.id(generation: 0, ordinal: "0")) }
        },
        MicroBenchmark("journal: write") {
            let record = try await MicroEvent().record()
            return { Self.consume(record.json.utf8) }
        },
        MicroBenchmark("journal: parse") {
            let bytes = try await MicroEvent().record().json.utf8
            return { Self.consume(try JSONValue(parsing: bytes)) }
        },
        MicroBenchmark("pipeline in memory: 5000 events", isLong: true) {
            let configuration = MemoryPipeline.Configuration(registry: try BenchmarkIntent.registry())
            return { _ = try await MemoryPipeline(configuration).process(5_000) }
        },
    ]
}
