package import CoreMetrics
package import IntentEvents
package import IntentKit
package import Logging
import Telemetry

/// Runs one stage with several lanes: each has its own partitions, and its commits do not wait for the others'.
package struct StageWorker: Sendable {
    package struct Configuration: Sendable {
        package var stage: Stage
        /// The worker's name, stable over restarts; lanes add their number to it.
        package var name: String
        package var lanes = 1
        /// How outputs and offsets are written (R2).
        package var delivery = LaneConfiguration.Delivery.exactlyOnce
        /// How long the group waits for a silent member, in milliseconds.
        package var sessionTimeout = 12_000
        /// Whether `ce_intentdscript` is honoured.
        package var isScripted = false
        /// Makes the file for evicted state of a lane of that name; nil keeps all state in memory.
        package var makeSpill: (@Sendable (_ lane: String) async throws -> any StateSpill)?
        /// Watches turns that may end their process (R56), one for all stages of a process; nil if nothing restarts it.
        package var crashes: CrashWatch?
        /// The threads on which turns run, one executor for all stages of a process; nil for those on which Swift runs all
        /// tasks.
        package var threads: (any TaskExecutor)?
        /// The metrics backend; nil for none.
        package var metrics: (any MetricsFactory)?
        /// Traces turns, one for all stages of a process; nil for no turn.
        package var tracing: TurnTracing?
        /// What its lanes check besides their records.
        package var reading = ReadingOptions()
        package var settings = RuntimeSettings()

        /// Describes a worker; everything not named here has the defaults above.
        package init(stage: Stage, name: String) {
            self.stage = stage
            self.name = name
        }
    }

    private let lanes: [StageLane]
    package let health: [LaneHealth]
    /// What its lanes measure; nil for nothing.
    package let metrics: StageMetrics?
    private let crashes: CrashWatch?

    /// Makes a worker of a deployment; without the deployment's redrive key, no request counts as redriven (R48).
    package init(
        _ configuration: Configuration,
        deployment: Deployment,
        log: any EventLog,
        registry: IntentRegistry,
        ledger: (any EffectLedger)?,
        redriveKey: RedriveKey? = nil,
        vocabularies: GlobalVocabularies = GlobalVocabularies(),
        clock: any RuntimeClock = SystemRuntimeClock(),
        logger: Logger
    ) {
        self.crashes = configuration.crashes
        let metrics = configuration.metrics.map {
            StageMetrics(configuration.stage, registry: registry, factory: $0)
        }
        self.metrics = metrics
        self.lanes = (0..<max(1, configuration.lanes))
            .map { index in
                let name = "\(configuration.name)-\(index)"
                var lane = Self.lane(LaneName(name), of: configuration.stage, prefix: deployment.prefix)
                lane.delivery = configuration.delivery
                // Its records are alike and seldom read; other topics compress less.
                lane.compressedTopics = [Topic.journal.name(prefix: deployment.prefix)]
                lane.sessionTimeout = configuration.sessionTimeout
                lane.transactionTimeout = min(lane.transactionTimeout, configuration.sessionTimeout * 5 / 6)
                let environment = StageEnvironment(
                    stage: configuration.stage,
                    registry: registry,
                    settings: configuration.settings,
                    ledger: ledger,
                    deployment: deployment.id,
                    prefix: deployment.prefix,
                    partitions: deployment.partitions,
                    worker: name,
                    isScripted: configuration.isScripted,
                    redrive: .key(redriveKey),
                    clock: clock,
                    crashes: configuration.crashes,
                    threads: configuration.threads,
                    metrics: metrics,
                    tracing: configuration.tracing,
                    globalVocabularies: vocabularies
                )
                var laneLogger = logger
                laneLogger[metadataKey: TelemetryKey.stage] = "\(configuration.stage.rawValue)"
                laneLogger[metadataKey: TelemetryKey.lane] = "\(name)"
                var makeSpill: (@Sendable () async throws -> any StateSpill)?
                if let make = configuration.makeSpill { makeSpill = { try await make(name) } }
                return StageLane(
                    log: log,
                    configuration: lane,
                    environment: environment,
                    makeSpill: makeSpill,
                    reading: configuration.reading,
                    logger: laneLogger
                )
            }
        self.health = self.lanes.map(\.health)
    }

    /// Whether a worker of that name has a lane of this one: its name and a number.
    package static func isLane(_ lane: String, of worker: String) -> Bool {
        guard lane.hasPrefix("\(worker)-") else { return false }
        let number = lane.dropFirst(worker.count + 1)
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }

    package static func lane(_ name: LaneName, of stage: Stage, prefix: String) -> LaneConfiguration {
        LaneConfiguration(
            group: stage.group(prefix: prefix),
            topics: stage.inputTopics.map { $0.name(prefix: prefix) },
            name: name
        )
    }

    /// Works until ``stop(_:)`` is called or the task is cancelled.
    ///
    /// - Throws: ``LogError`` that only an operator can resolve (`LogError.Code.needsOperator`), once all lanes have
    ///   left.
    package func run() async throws(LogError) {
        let failure = await withTaskGroup(of: LogError?.self) { group in
            for lane in self.lanes {
                group.addTask {
                    do throws(LogError) {
                        try await lane.run()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var first: LogError?
            for await failure in group {
                guard let failure else { continue }
                first = first ?? failure
                self.stop()
            }
            return first
        }
        await self.crashes?.settle()
        if let failure { throw failure }
    }

    /// Finishes the current batches, then leaves.
    package func stop(_ departure: LaneDeparture = .remainInGroup) {
        for lane in self.lanes { lane.stop(departure) }
    }
}
