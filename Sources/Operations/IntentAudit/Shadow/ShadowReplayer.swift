package import IntentKit
package import IntentRuntime
internal import Synchronization

/// Plays recorded interactions with today's handlers, definitions and vocabularies, and reports of which ones
/// clients would read something else (R44).
package struct ShadowReplayer: Sendable {
    let log: any EventLog
    let environment: StageEnvironment
    let selection: ReplaySelection
    /// The time that a handler may take: everything that it asks for is answered at once.
    let timeout: Duration
    /// Masks the data of an event for the report.
    let masked: @Sendable (JSONValue) -> JSONValue
    /// The number of interactions that are played at once.
    private let parallelism: Int

    /// Prepares to play the interactions that a selection names; it only creates readers of the log.
    ///
    /// - Parameters:
    ///   - log: The topics.
    ///   - environment: Today's handlers and settings, and the deployment.
    ///   - selection: The interactions' turns.
    ///   - parallelism: How many are played at once.
    ///   - timeout: The time that a handler may take.
    ///   - masked: Masks the data of an event for the report.
    package init(
        log: any EventLog,
        environment: StageEnvironment,
        selection: ReplaySelection = ReplaySelection(),
        parallelism: Int,
        timeout: Duration = .seconds(10),
        masked: @escaping @Sendable (JSONValue) -> JSONValue = { $0 }
    ) {
        self.log = log
        self.environment = environment
        self.selection = selection
        self.timeout = timeout
        self.masked = masked
        self.parallelism = max(1, parallelism)
    }

    /// Plays them.
    ///
    /// - Parameter progress: Called with the number of journal records that have been read, and their total.
    /// - Returns: The interactions of which clients would read something else.
    /// - Throws: `AuditError`, `cutByRetention` when retention has removed a part of the selection; `LogError`.
    package func run(progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in })
        async throws -> ShadowReport
    {
        let ranges = try await JournalRange.select(
            self.selection,
            self.log,
            prefix: self.environment.prefix,
            partitions: self.environment.partitions
        )
        let total = ranges.reduce(0) { $0 + $1.count }
        let state = Tally()
        let side = min(self.parallelism * 2, max(1, ranges.count))
        let width = (self.parallelism + side - 1) / side
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ range: JournalRange) {
                group.addTask {
                    try await PartitionShadow(self, range, width: width, state) { progress($0, total) }.run()
                }
            }
            var waiting = ranges.sorted { $0.count < $1.count }
            for _ in 0..<side { if let range = waiting.popLast() { add(range) } }
            while try await group.next() != nil { if let range = waiting.popLast() { add(range) } }
        }
        return state.report
    }

    /// The results so far, from all partitions.
    final class Tally: Sendable {
        private let state = Mutex((report: ShadowReport(), done: Int64(0)))

        var report: ShadowReport { self.state.withLock(\.report) }

        func add(_ recorded: ShadowCase, _ now: ShadowEnding, _ differences: [ShadowDifference]) {
            self.state.withLock { $0.report.add(recorded, now, differences) }
        }

        func addLeftOut() { self.state.withLock { $0.report.leftOut += 1 } }

        func advance(_ count: Int64) -> Int64 {
            self.state.withLock { state in
                state.done += count
                return state.done
            }
        }
    }
}
