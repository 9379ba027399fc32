internal import IntentEvents
internal import IntentKit
internal import IntentLedger
internal import IntentRecords
internal import IntentRuntime
internal import Logging
internal import ServiceLifecycle
internal import Telemetry

/// Removes old records beside the recorder, whose connection is the only one that writes them: on schedule, and when
/// `records prune` asks.
struct RecordPruner: Sendable {
    /// The interval at which it looks for old records.
    static let interval = Duration.seconds(3_600)
    /// The interval at which it looks for requests.
    private static let pause = Duration.seconds(1)

    /// The record database's file.
    let path: String
    /// The deployment's id, for cut marks.
    let deployment: String
    /// The number of days for which records are kept; nil for all.
    let days: Int?
    /// Signs cut marks.
    let key: SigningKey?
    var clock: any RuntimeClock = SystemRuntimeClock()
    let logger: Logger

    /// Prunes until cancelled.
    func run(_ database: RecordDatabase) async {
        let request = PruneRequest(records: self.path)
        var due = self.clock.now
        while !Task.isCancelled {
            if let before = request.before, await self.prune(database, before: before) { request.close() }
            if let days, self.clock.now >= due {
                _ = await self.prune(database, before: self.clock.now + Int64(-days) * 86_400_000)
                due = self.clock.now + Self.interval.milliseconds
            }
            try? await self.clock.sleep(for: Self.pause)
        }
    }

    private func prune(_ database: RecordDatabase, before: Timestamp) async -> Bool {
        do {
            let removed = try await database.prune(
                before: before,
                deployment: self.deployment,
                at: self.clock.now,
                signedBy: self.key
            )
            guard !removed.isEmpty else { return true }
            let rows = removed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            self.logger.notice(
                "Removed old records",
                metadata: [TelemetryKey.before: "\(before)", TelemetryKey.rows: "\(rows)"]
            )
            return true
        } catch {
            self.logger.warning(
                "Could not remove old records; retrying",
                metadata: [TelemetryKey.errorMessage: "\(error)"]
            )
            return false
        }
    }
}

/// Removes old effects on schedule, in the process that has the store.
struct LedgerPruneService: Service {
    /// The topics, which determine what can still be asked for.
    let log: any EventLog
    let deployment: Deployment
    let ledger: any LedgerStore
    /// The number of days for which effects are kept.
    let days: Int
    /// Signs cut marks.
    let key: SigningKey?
    var clock: any RuntimeClock = SystemRuntimeClock()
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    let now = self.clock.now
                    let (effects, ends) = try await self.ledger.prune(
                        before: now + Int64(-self.days) * 86_400_000,
                        reach: LedgerReach.read(self.deployment, on: self.log),
                        deployment: self.deployment.id,
                        at: now,
                        signedBy: self.key
                    )
                    if effects + ends > 0 {
                        self.logger.notice(
                            "Removed old effects",
                            metadata: [TelemetryKey.effects: "\(effects)", TelemetryKey.ends: "\(ends)"]
                        )
                    }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    self.logger.warning(
                        "Could not remove old effects; retrying",
                        metadata: [TelemetryKey.errorMessage: "\(error)"]
                    )
                }
                try await self.clock.sleep(for: RecordPruner.interval)
            }
        }
    }
}
