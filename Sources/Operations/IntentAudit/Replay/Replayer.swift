package import IntentRuntime

/// Runs recorded turns again, many at once and isolated from production (R42, R43).
///
/// It holds no more in memory than a window of each topic. It waits for nothing: time-outs, retries and parked turns
/// are events and records like all others.
package struct Replayer: Sendable {
    package struct Configuration: Sendable {
        package var selection = ReplaySelection()
        /// The number of turns that run at once.
        package var parallelism: Int
        /// The number of verdicts that are kept of turns that did not match.
        package var verdictLimit = 10_000

        /// Creates a configuration that replays everything.
        package init(parallelism: Int) { self.parallelism = max(1, parallelism) }
    }

    let log: any EventLog
    let environment: StageEnvironment
    let configuration: Configuration

    /// Prepares a replay.
    ///
    /// - Parameters:
    ///   - log: The topics; the replay only creates readers.
    ///   - environment: Today's handlers and settings, and the deployment; its stage does not matter.
    ///   - configuration: The turns to run, and how.
    package init(log: any EventLog, environment: StageEnvironment, configuration: Configuration) {
        self.log = log
        self.environment = environment
        self.configuration = configuration
    }

    /// Runs the selected turns again.
    ///
    /// - Parameter progress: Called with the number of journal records that have been read, and their total.
    /// - Returns: The results.
    /// - Throws: `AuditError` with `cutByRetention` when retention has removed a part of the selection; `LogError`;
    ///   `CancellationError`.
    package func run(progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in })
        async throws -> ReplayReport
    {
        let ranges = try await JournalRange.select(
            self.configuration.selection,
            self.log,
            prefix: self.environment.prefix,
            partitions: self.environment.partitions
        )
        let tally = ReplayTally(
            limit: self.configuration.verdictLimit,
            total: ranges.reduce(0) { $0 + $1.count },
            progress: progress
        )
        // Reading waits for the network, so more partitions are under way than there are processors. Where there are
        // fewer partitions, they share the processors: each partition's turns are spread too.
        let side = min(self.configuration.parallelism * 2, max(1, ranges.count))
        let width = (self.configuration.parallelism + side - 1) / side
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ range: JournalRange) {
                group.addTask { try await PartitionReplay(self, range, width: width, tally).run() }
            }
            var waiting = ranges.sorted { $0.count < $1.count }
            for _ in 0..<side { if let range = waiting.popLast() { add(range) } }
            while try await group.next() != nil { if let range = waiting.popLast() { add(range) } }
        }
        return tally.report
    }
}
