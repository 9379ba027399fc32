import IntentEvents
import IntentRuntime

/// The limits of the broker and the client library: plain produce and plain consume.
struct Floors: Sendable {
    /// Records written per second.
    var produced: Double
    /// Records read per second.
    var consumed: Double

    /// Writes and reads this many requests.
    static func measure(_ count: Int, _ bench: MeasuredLog) async throws -> Floors {
        let topic: TopicName = "\(bench.makePrefix()).floor"
        _ = try await bench.log.createTopics([TopicDescription(name: topic, partitions: bench.shape.partitions)])
        let writing = try await Backlog.write(count, to: topic, bench)
        let reading = try await Drain.measure(count, on: topic, bench) { _ in true }
        return Floors(produced: Double(count) / writing.inSeconds, consumed: reading.rate)
    }
}
