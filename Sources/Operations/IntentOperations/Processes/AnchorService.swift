internal import IntentAudit
internal import IntentEvents
internal import IntentRuntime
internal import Logging
internal import ServiceLifecycle
internal import Telemetry

/// Creates anchors on a schedule (`audit.anchorEvery`): signed, each linked to the previous one, in a directory.
///
/// Failures are logged and retried: a late anchor does no harm.
struct AnchorService: Service {
    /// The delay after a failure.
    private static let retryDelay = Duration.seconds(30)

    let log: any EventLog
    let deployment: Deployment
    let directory: String
    let interval: Duration
    let key: SigningKey
    /// The clock of the intervals.
    var clock: any RuntimeClock = SystemRuntimeClock()
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
                        "Could not write an anchor; retrying",
                        metadata: [TelemetryKey.errorMessage: "\(error)"]
                    )
                    delay = Self.retryDelay
                }
                try await self.clock.sleep(for: delay)
            }
        }
    }

    /// Creates the next anchor if it is due, and returns the delay until the next one.
    private func makeIfDue() async throws -> Duration {
        let last = try AnchorFiles.last(in: self.directory)
        let now = self.clock.now
        if let last {
            let due = last.at + self.interval.milliseconds
            // A clock that was set back must not delay the next anchor for long.
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
        self.logger.info("Wrote an anchor", metadata: [TelemetryKey.path: "\(path)"])
        return self.interval
    }
}
