import IntentRuntime

/// Sends at a fixed rate, whatever happens to earlier requests: it waits for no answer.
///
/// The time of a request is the one at which it should have been sent, so a delayed client does not improve the figures
/// (no coordinated omission).
struct OpenLoop: Sendable {
    /// Requests per second.
    var rate: Int
    /// The number of requests.
    var count: Int
    /// The time at which the first one is due.
    var start: ContinuousClock.Instant

    /// The time at which a request is due.
    func time(of index: Int) -> ContinuousClock.Instant {
        self.start + .nanoseconds(Int64(index) * 1_000_000_000 / Int64(self.rate))
    }

    /// Sends all, and returns when all are acknowledged.
    func run(_ producer: any LogProducer, _ makeRecord: @Sendable (Int) -> OutgoingRecord) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var next = 0
            while next < self.count {
                let now = ContinuousClock.now
                var due = next
                while due < self.count, self.time(of: due) <= now { due += 1 }
                if due > next {
                    let records = (next..<due).map(makeRecord)
                    group.addTask { _ = try await producer.send(records) }
                    next = due
                } else {
                    try await Task.sleep(until: self.time(of: next), tolerance: .zero, clock: .continuous)
                }
            }
            try await group.waitForAll()
        }
    }
}
