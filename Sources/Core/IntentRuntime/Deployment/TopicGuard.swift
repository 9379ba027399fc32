/// Checks, after an error of the topics, whether they are still those on which the worker was started, and whether an
/// error that only an operator can resolve persists.
package struct TopicGuard {
    private let deployment: Deployment
    private let missingTimeout: Duration
    private let clock: any RuntimeClock
    /// Since when topics have been missing; nil when they were there the last time.
    private var missingSince: Duration?
    /// Whether there was an error of the topics, and they have not been checked since.
    private var isUnsure = false
    /// When brokers first and last reported an error that only an operator can resolve and that may be outdated.
    private var doubt: (since: Duration, last: Duration)?

    package init(_ deployment: Deployment, missingTimeout: Duration, clock: any RuntimeClock) {
        self.deployment = deployment
        self.missingTimeout = missingTimeout
        self.clock = clock
    }

    /// Returns when the same call may be tried again.
    ///
    /// - Throws: ``LogError`` that only an operator can resolve: the given one, or `topicsChanged`.
    package mutating func check(_ error: LogError, on log: any EventLog) async throws(LogError) {
        if error.code.needsOperator {
            guard error.isRetriable, self.mayPass() else { throw error }
            self.isUnsure = true
        }
        if [.unknownTopic, .offsetOutOfRange, .groupShared].contains(error.code) { self.isUnsure = true }
        if self.isUnsure { try await self.check(on: log) }
    }

    /// Whether a broker may have reported an outdated state: one that was cut off learns late that others lead.
    private mutating func mayPass() -> Bool {
        let now = self.clock.uptime
        let previous = self.doubt.flatMap { now - $0.last <= self.missingTimeout + Self.longestPause ? $0 : nil }
        let since = previous?.since ?? now
        self.doubt = (since, now)
        return now - since < self.missingTimeout
    }

    /// More than passes between two attempts that meet the same.
    private static let longestPause = Duration.seconds(10)

    /// Returns when the topics are known to be the same: topics that reappear may be others of that name.
    ///
    /// - Throws: ``LogError``, `topicsChanged` when they are not, `unknownTopic` while they cannot be checked.
    package mutating func confirm(on log: any EventLog) async throws(LogError) {
        guard self.isUnsure else { return }
        try await self.check(on: log)
        guard self.isUnsure else { return }
        throw LogError(
            .unknownTopic,
            "the topics of \(self.deployment.prefix) are missing, or their metadata is unknown",
            isRetriable: true
        )
    }

    private mutating func check(on log: any EventLog) async throws(LogError) {
        do {
            let found = try await Deployment.load(prefix: self.deployment.prefix, from: log)
            guard found.id == self.deployment.id else {
                throw LogError(
                    .topicsChanged,
                    "the topics of \(self.deployment.prefix) were re-created while this worker ran: its state "
                        + "belongs to the old topics. Restart it with another or an empty data directory."
                )
            }
            self.missingSince = nil
            self.isUnsure = false
        } catch let error as LogError where error.code.needsOperator {
            throw error
        } catch let error as DeploymentError {
            // Brokers that are starting may not know all topics yet.
            let since = self.missingSince ?? self.clock.uptime
            self.missingSince = since
            guard self.clock.uptime - since >= self.missingTimeout else { return }
            throw LogError(.topicsChanged, error.description)
        } catch {
            // No broker answers: that says nothing about the topics.
            self.missingSince = nil
        }
    }
}
