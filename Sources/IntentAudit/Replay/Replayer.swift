package import IntentRuntime

/// Runs recorded turns again: many at once, isolated from production, with no more in memory than a window of each
/// topic (R42, R43).
///
/// It waits for nothing: time-outs, retries and parked turns are events and records like all others.
package struct Replayer: Sendable {
    /// What a replay needs.
    package struct Configuration: Sendable {
        /// Which turns.
        package var selection = ReplaySelection()
        /// How many turns are run at once.
        package var parallelism: Int
        /// How many verdicts are kept of turns that did not match.
        package var verdictLimit = 10_000

        /// A replay of everything.
        package init(parallelism: Int) { self.parallelism = max(1, parallelism) }
    }

    let log: any EventLog
    let environment: StageEnvironment
    let configuration: Configuration

    /// Prepares a replay.
    ///
    /// - Parameters:
    ///   - log: The topics; only readers are made of it.
    ///   - environment: The handlers and settings of today, and the deployment; its stage does not matter.
    ///   - configuration: What and how.
    package init(log: any EventLog, environment: StageEnvironment, configuration: Configuration) {
        self.log = log
        self.environment = environment
        self.configuration = configuration
    }

    /// Runs the selected turns again.
    ///
    /// - Parameter progress: Told how many of how many journal records have been read.
    /// - Returns: What came of them.
    /// - Throws: ``AuditError`` with `cutByRetention` when a part of the selection is gone; `LogError`;
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
        // Reading waits for the network: there are more partitions under way than processors. Where there are fewer,
        // they share them; each partition's turns are spread too.
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
