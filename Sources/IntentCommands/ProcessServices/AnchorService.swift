import IntentAudit
import IntentEvents
import IntentRuntime
import Logging
import ServiceLifecycle
import Telemetry

/// Makes anchors on a schedule (`audit.anchorEvery`): signed, each following the one before, in a directory.
///
/// What goes wrong is logged and tried again: an anchor that is late is no harm.
struct AnchorService: Service {
    /// How long to wait after a failure.
    private static let retryDelay = Duration.seconds(30)

    /// The topics.
    let log: any EventLog
    /// Their deployment.
    let deployment: Deployment
    /// Where the anchors go.
    let directory: String
    /// How often.
    let interval: Duration
    /// Who signs them.
    let key: SigningKey
    /// What the intervals are measured by.
    var clock: any RuntimeClock = SystemRuntimeClock()
    /// Where it logs.
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                let delay: Duration
                do {
                    delay = try await self.makeIfDue()
                } catch let error as CancellationError {
                    throw error
                } catch {
                    self.logger.warning(
                        "No anchor was made; it is tried again",
                        metadata: [TelemetryKey.errorMessage: "\(error)"]
                    )
                    delay = Self.retryDelay
                }
                try await self.clock.sleep(for: delay)
            }
        }
    }

    /// Makes the next anchor if its time has come, and says how long to wait then.
    private func makeIfDue() async throws -> Duration {
        let last = try AnchorFiles.last(in: self.directory)
        let now = self.clock.now
        if let last {
            let due = last.at + self.interval.milliseconds
            // A clock that was set back must not keep the next one away for long.
            if now < due { return .milliseconds(min(due - now, self.interval.milliseconds)) }
        }
        let anchor = try await Anchor.read(
            self.deployment,
            from: self.log,
            at: now,
            after: last,
            signedBy: self.key
        )
        let path = try AnchorFiles.add(anchor, to: self.directory)
        self.logger.info("The chains are anchored", metadata: [TelemetryKey.path: "\(path)"])
        return self.interval
    }
}
