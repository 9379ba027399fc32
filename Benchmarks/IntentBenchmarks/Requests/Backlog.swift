import IntentEvents
import IntentRuntime
import IntentLab

/// Writes a backlog of requests in large batches, several in flight at once.
enum Backlog {
    /// Writes this many requests to a topic, from this number on; of many users, or all of one.
    ///
    /// - Returns: The duration, without creating the records.
    static func write(
        _ count: Int,
        from first: Int = 0,
        to topic: TopicName,
        _ bench: MeasuredLog,
        user: UserID? = nil
    ) async throws -> Duration {
        var maker = RequestMaker(users: bench.shape.users, partitions: bench.shape.partitions)
        maker.only = user
        let chunks = stride(from: first, to: first + count, by: 5_000)
            .map { start in
                (start..<min(start + 5_000, first + count)).map { maker.record($0, topic: topic) }
            }
        let producer = try await bench.log.makeProducer()
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, chunk) in chunks.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask { _ = try await producer.send(chunk) }
            }
            try await group.waitForAll()
        }
        let duration = began.duration(to: .now)
        await producer.close()
        return duration
    }
}
