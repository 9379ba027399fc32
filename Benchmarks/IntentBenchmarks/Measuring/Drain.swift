import IntentEvents
import IntentRuntime
import IntentLab

/// The time that a backlog took from the start of the workers.
struct Drain: Sendable {
    /// The number of requests.
    var events: Int
    /// The time until the last answer, in seconds.
    var answered = 0.0
    /// The time from the first answers to the last one, in seconds: without joining the groups.
    var flowing = 0.0
    /// The number of first answers.
    var first = 0
    /// The time until the recorder had everything, in seconds.
    var recorded = 0.0
    /// The processor time of the process until then, in seconds.
    var processor = 0.0

    /// Answers per second, from the start.
    var rate: Double { Double(self.events) / self.answered }
    /// Answers per second once they flow.
    var flowingRate: Double { Double(self.events - self.first) / self.flowing }
    /// Recorded requests per second, from the start.
    var recordedRate: Double { Double(self.events) / self.recorded }
    /// Processor time per request, in microseconds.
    var processorPerEvent: Double { self.processor / Double(self.events) * 1e6 }

    /// Waits for all answers.
    ///
    /// - Parameters:
    ///   - events: The number of requests.
    ///   - topic: The topic of the answers.
    ///   - bench: The log and the layout.
    ///   - isAnswer: Whether a record is an answer.
    /// - Returns: The times, without the recorder's.
    /// - Throws: `LogError`; ``BenchmarkError`` when answers are missing.
    static func measure(
        _ events: Int,
        on topic: TopicName,
        _ bench: MeasuredLog,
        isAnswer: (LogRecord) -> Bool
    ) async throws -> Drain {
        let began = ContinuousClock.now
        let processor = ProcessorTime.seconds
        var drain = Drain(events: events)
        var flowing: ContinuousClock.Instant?
        var count = 0
        let start = Dictionary(uniqueKeysWithValues: bench.partitions(of: topic).map { ($0, Int64(0)) })
        try await ResponseWatcher.watch(start, of: bench.log) { records, now in
            count += records.count(where: isAnswer)
            if flowing == nil, count > 0 {
                flowing = now
                drain.first = count
            }
            if count >= events {
                drain.answered = began.duration(to: now).inSeconds
                drain.flowing = flowing?.duration(to: now).inSeconds ?? 0
            }
            return count >= events
        }
        drain.processor = ProcessorTime.seconds - processor
        return drain
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = self.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
