internal import IntentEvents
import Logging

/// What is said of turns that went wrong, and who is under suspicion no more, once a batch is committed.
extension LaneSession {
    /// Turns were committed: their failures are told once each, and nothing counts against them any more.
    func noteCommitted(_ entries: some Sequence<UserRun.Entry>) {
        var done: [TurnPlace] = []
        for entry in entries {
            if let failure = entry.result.failure { self.tell(failure, of: entry.result) }
            guard self.environment.crashes != nil, entry.result.record.outcome != .parked else { continue }
            done.append(TurnPlace(self.environment.stage, entry.result.stored.position))
        }
        if !done.isEmpty { self.environment.crashes?.forget(done) }
    }

    private func tell(_ failure: TurnFailure, of result: TurnResult) {
        let record = result.record
        var metadata: Logger.Metadata = [
            LogKey.stage: "\(record.stage.rawValue)", LogKey.event: "\(record.position)",
            LogKey.error: "\(failure.message)",
        ]
        metadata[LogKey.intent] = record.intentName.map { "\($0)" }
        metadata[LogKey.interaction] = record.interactionID.map { "\($0)" }
        metadata[LogKey.handler] = record.handlerName.map { "\($0)" }
        metadata[LogKey.handlerVersion] = record.handlerVersion.map { "\($0)" }
        if record.attempt > 1 { metadata[LogKey.attempt] = "\(record.attempt)" }
        if let crash = record.crash {
            metadata[LogKey.deaths] = "\(crash.deaths)"
            self.logger.warning("A turn has ended its process too often and is not run again.", metadata: metadata)
        } else if let retryAt = result.retryAt {
            metadata[LogKey.retryAt] = "\(retryAt)"
            self.logger.info("A turn has failed and is tried again.", metadata: metadata)
        } else {
            self.logger.warning("A turn has failed.", metadata: metadata)
        }
    }
}
