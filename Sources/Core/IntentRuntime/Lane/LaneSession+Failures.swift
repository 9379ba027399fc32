internal import IntentEvents
import Logging
internal import Telemetry

/// After a commit: failures are logged, and turns that are done are no longer suspects.
extension LaneSession {
    /// Turns were committed: each failure is reported once, and the crash counts of turns that are done are dropped.
    ///
    /// The partitions still hold the state from before the commit.
    func recordCommitted(_ outcomes: [(Run, UserRun.Outcome)]) {
        for (_, outcome) in outcomes {
            for result in outcome.failures {
                if let failure = result.failure { self.report(failure, of: result) }
            }
        }
        guard let crashes = self.environment.crashes, crashes.hasSuspects else { return }
        var done: Set<RecordPosition> = []
        for (run, outcome) in outcomes {
            var ended = Set(outcome.turns)
            // A parked turn may be ended by another one: a time-out, a cancellation.
            let waited = Self.waiting(run, in: outcome.writes.keys, after: [:])
            ended.formUnion(waited)
            let suspects = crashes.suspects(of: self.environment.stage, among: ended)
            guard !suspects.isEmpty else { continue }
            done.formUnion(suspects.subtracting(Self.waiting(run, in: outcome.writes.keys, after: outcome.writes)))
        }
        self.forget(done)
    }

    /// The user's events that are parked or queued when these entries are written.
    ///
    /// Of the queued ones it returns only those in entries of these names; the others have not changed.
    private static func waiting(
        _ run: Run,
        in names: some Sequence<StateName>,
        after writes: StateWrites
    ) -> Set<RecordPosition> {
        let user = run.run.user
        let names = Set(names.filter(StoredRecord.mayWait)).union([StateName.parked])
        return Set(
            names.compactMap { name in
                (writes[name] ?? run.work.table.entry(name, user: user))
                    .flatMap { StoredRecord(waitingIn: name, $0.text) }?
                    .position
            }
        )
    }

    /// The events of these partitions whose turns have crash counts (R56).
    func suspects(in partitions: some Sequence<Int>) -> Set<RecordPosition> {
        let partitions = Set(partitions)
        return (self.environment.crashes?.suspects(of: self.environment.stage) ?? [])
            .filter { partitions.contains($0.partition) }
    }

    /// Those of these suspects (none waits in the state) that precede the offset where reading continues.
    ///
    /// Such a turn is done: its process crashed, or the log's answer was lost, right after the commit, before the count
    /// was dropped.
    func done(_ suspects: Set<RecordPosition>) -> Set<RecordPosition> {
        suspects.filter { position in
            let topicPartition = self.environment.topicPartition(position.topic, position.partition)
            return position.offset < self.partitions[position.partition]?.positions[topicPartition] ?? 0
        }
    }

    /// Another process has committed these turns: their crash counts are dropped.
    func forget(_ done: Set<RecordPosition>) {
        guard !done.isEmpty else { return }
        self.environment.crashes?.forget(done.map { TurnKey(self.environment.stage, $0) })
    }

    private func report(_ failure: TurnFailure, of result: TurnResult) {
        let record = result.record
        var metadata: Logger.Metadata = [
            TelemetryKey.stage: "\(record.stage.rawValue)", TelemetryKey.event: "\(record.position)",
            TelemetryKey.errorMessage: "\(failure.message)",
        ]
        metadata[TelemetryKey.intent] = record.intentName.map { "\($0)" }
        metadata[TelemetryKey.interaction] = record.interactionID.map { "\($0)" }
        metadata[TelemetryKey.handler] = record.handlerName.map { "\($0)" }
        metadata[TelemetryKey.handlerVersion] = record.handlerVersion.map { "\($0)" }
        metadata[TelemetryKey.traceID] = result.spans.map { "\($0.traceID)" }
        if record.attempt > 1 { metadata[TelemetryKey.attempt] = "\(record.attempt)" }
        if let crash = record.crash {
            metadata[TelemetryKey.deaths] = "\(crash.deaths)"
            self.logger.warning("A turn crashed its process too often and is not run again", metadata: metadata)
        } else if let retryAt = failure.retryAt {
            metadata[TelemetryKey.retryAt] = "\(retryAt)"
            self.logger.info("A turn failed; retrying", metadata: metadata)
        } else {
            self.logger.warning("A turn failed", metadata: metadata)
        }
    }
}
