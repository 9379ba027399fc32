/// Tells, after an error at the topics themselves, whether they are still those that the worker was started on.
struct TopicGuard {
    private let deployment: Deployment
    private let goneAfter: Duration
    private let clock: any RuntimeClock
    /// Since when topics have been missing; nil when they were there the last time.
    private var goneSince: Duration?

    /// Guards the topics of a deployment.
    init(_ deployment: Deployment, goneAfter: Duration, clock: any RuntimeClock) {
        self.deployment = deployment
        self.goneAfter = goneAfter
        self.clock = clock
    }

    /// Returns when the same may be tried again.
    ///
    /// - Throws: ``LogError`` that only an operator can mend: the one given, or `topicsChanged`.
    mutating func check(_ error: LogError, on log: any EventLog) async throws(LogError) {
        guard !error.code.needsOperator else { throw error }
        guard error.code == .unknownTopic || error.code == .offsetOutOfRange else {
            self.goneSince = nil
            return
        }
        do {
            let found = try await Deployment.load(prefix: self.deployment.prefix, from: log)
            self.goneSince = nil
            guard found.id == self.deployment.id else {
                throw LogError(
                    .topicsChanged,
                    "the topics of \(self.deployment.prefix) were made anew while this worker ran: it has the state of "
                        + "others. Start it again, with another data directory or an empty one."
                )
            }
        } catch let error as LogError where error.code.needsOperator {
            throw error
        } catch let error as DeploymentError {
            // Brokers that start may not know all topics yet.
            let since = self.goneSince ?? self.clock.uptime
            self.goneSince = since
            guard self.clock.uptime - since >= self.goneAfter else { return }
            throw LogError(.topicsChanged, error.description)
        } catch {
            // Nobody answers: that is no news of the topics.
        }
    }
}
