internal import IntentEvents
internal import IntentKit
package import Logging
import Synchronization

/// One lane of a stage: reads its partitions, runs their turns, commits what they come to (R2 to R5, R13).
///
/// The way of one event: poll → decode → turn → outputs, journal, state → one transaction.
package final class StageLane: Sendable {
    private let log: any EventLog
    private let configuration: LaneConfiguration
    private let environment: StageEnvironment
    private let makeSpill: (@Sendable () async throws -> any StateSpill)?
    private let logger: Logger
    private let isStopping = Mutex(false)
    private let lane = Mutex<(any TransactionalLane)?>(nil)

    /// Makes a lane that joins its group when it is run.
    ///
    /// - Parameters:
    ///   - log: Where it reads and writes.
    ///   - configuration: Which group and topics.
    ///   - environment: What its turns share.
    ///   - makeSpill: Makes the place for state that is not needed now; nil keeps all of it in memory.
    ///   - logger: Where it says what goes wrong.
    package init(
        log: any EventLog,
        configuration: LaneConfiguration,
        environment: StageEnvironment,
        makeSpill: (@Sendable () async throws -> any StateSpill)? = nil,
        logger: Logger
    ) {
        self.log = log
        self.configuration = configuration
        self.environment = environment
        self.makeSpill = makeSpill
        self.logger = logger
    }

    /// Finishes the batch that is under way, then leaves.
    package func stop() {
        self.isStopping.withLock { $0 = true }
        self.lane.withLock { $0 }?.wake()
    }

    private var mustStop: Bool { self.isStopping.withLock { $0 } || Task.isCancelled }

    /// Works until stopped; meets errors of the log by beginning anew with what the log holds.
    ///
    /// - Throws: ``LogError`` with `unreadableFormat`: a newer version has written what this one would misread.
    package func run() async throws(LogError) {
        var failures = 0
        // Kept in memory alone: after a crash it is found out again.
        var unwritable: Set<RecordPosition> = []
        while !self.mustStop {
            var committedBatches = 0
            do throws(LogError) {
                let session = LaneSession(
                    log: self.log,
                    configuration: self.configuration,
                    environment: self.environment,
                    spill: try await self.spill(),
                    unwritable: unwritable,
                    logger: self.logger
                )
                let lane = try await self.log.makeLane(self.configuration)
                self.lane.withLock { $0 = lane }
                do throws(LogError) {
                    try await session.run(lane) { self.mustStop }
                } catch {
                    committedBatches = session.committedBatches + session.unwritable.count - unwritable.count
                    unwritable = session.unwritable
                    await session.abandon()
                    self.lane.withLock { $0 = nil }
                    await lane.close()
                    throw error
                }
                await session.leave(lane)
                self.lane.withLock { $0 = nil }
                await lane.close()
            } catch {
                if error.code == .unreadableFormat { throw error }
                failures = committedBatches > 0 ? 1 : failures + 1
                let level: Logger.Level = error.code == .fenced ? .info : .warning
                self.logger.log(
                    level: level,
                    "The lane begins anew.",
                    metadata: [LogKey.error: "\(error)", LogKey.failures: "\(failures)"]
                )
                let delay = min(5_000, 100 << min(failures - 1, 6))
                try? await self.environment.clock.sleep(for: .milliseconds(delay))
            }
        }
    }

    /// A fresh place for state that is not needed now.
    private func spill() async throws(LogError) -> (any StateSpill)? {
        guard let makeSpill = self.makeSpill else { return nil }
        do {
            return try await makeSpill()
        } catch {
            throw LogError(.other, "There is no place to put state away: \(error)", isRetriable: true)
        }
    }
}
