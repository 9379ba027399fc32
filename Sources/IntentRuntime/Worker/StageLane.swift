internal import IntentEvents
internal import IntentKit
package import Logging
import Synchronization

/// One lane of a stage: reads its partitions, runs their turns, commits what they come to (SPEC R2 to R5, R13).
///
/// The way of one event: poll → decode → turn → outputs, journal, state → one transaction.
package final class StageLane: Sendable {
    private let log: any EventLog
    private let configuration: LaneConfiguration
    private let environment: StageEnvironment
    private let logger: Logger
    private let isStopping = Mutex(false)
    private let lane = Mutex<(any TransactionalLane)?>(nil)

    /// Makes a lane that joins its group when it is run.
    package init(log: any EventLog, configuration: LaneConfiguration, environment: StageEnvironment, logger: Logger) {
        self.log = log
        self.configuration = configuration
        self.environment = environment
        self.logger = logger
    }

    /// Finishes the batch that is under way, then leaves.
    package func stop() {
        self.isStopping.withLock { $0 = true }
        self.lane.withLock { $0 }?.wake()
    }

    private var mustStop: Bool { self.isStopping.withLock { $0 } || Task.isCancelled }

    /// Works until stopped; meets errors of the log by beginning anew with what the log holds.
    package func run() async {
        var failures = 0
        while !self.mustStop {
            let session = LaneSession(
                log: self.log,
                configuration: self.configuration,
                environment: self.environment,
                logger: self.logger
            )
            do throws(LogError) {
                let lane = try await self.log.makeLane(self.configuration)
                self.lane.withLock { $0 = lane }
                do throws(LogError) {
                    try await session.run(lane) { self.mustStop }
                } catch {
                    session.abandon()
                    self.lane.withLock { $0 = nil }
                    await lane.close()
                    throw error
                }
                session.abandon()
                self.lane.withLock { $0 = nil }
                await lane.close()
            } catch {
                failures = session.committedBatches > 0 ? 1 : failures + 1
                let level: Logger.Level = error.code == .fenced ? .info : .warning
                self.logger.log(
                    level: level,
                    "The lane begins anew.",
                    metadata: ["error": "\(error)", "failures": "\(failures)"]
                )
                let delay = min(5_000, 100 << min(failures - 1, 6))
                try? await self.environment.clock.sleep(for: .milliseconds(delay))
            }
        }
    }
}
