internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The replay of one partition: reads journal and events ahead while turns run.
final class PartitionReplay {
    /// The number of turns that are read before they are run.
    private static let chunk = 1_024
    /// The number of divergences of a partition that are examined: each one is searched for on its topic.
    private static let explained = 50

    /// A turn to be run: an object, since it is handed on several times and its content must not be copied each time.
    private final class Job: Sendable {
        let journaled: LogRecord
        let record: TurnRecord
        let event: StoredRecord

        init(journaled: LogRecord, record: TurnRecord, event: StoredRecord) {
            self.journaled = journaled
            self.record = record
            self.event = event
        }
    }

    /// Some turns to be run.
    private struct Chunk: Sendable {
        var jobs: [Job] = []
        var isLast = false
    }

    private struct Outcome: Sendable {
        var matched = 0
        var diverged: [(Job, TurnReplay.Result)] = []
    }

    private let replayer: Replayer
    private let range: JournalRange
    private let width: Int
    private let tally: ReplayTally
    private let replay: TurnReplay
    private let finder: DivergenceFinder
    private var windows: [Topic: EventWindow] = [:]
    private var explained = 0
    private var verdicts: [TurnVerdict] = []

    /// Prepares to run a partition's turns, with this many at once.
    init(_ replayer: Replayer, _ range: JournalRange, width: Int, _ tally: ReplayTally) {
        self.replayer = replayer
        self.range = range
        self.width = width
        self.tally = tally
        self.replay = TurnReplay(replayer.environment)
        self.finder = DivergenceFinder(
            log: replayer.log,
            prefix: replayer.environment.prefix,
            replay: self.replay
        )
    }

    func run() async throws {
        do {
            try await self.runAll()
            try await self.findEventsWithoutTurn()
        } catch {
            for window in self.windows.values { await window.close() }
            throw error
        }
        for window in self.windows.values { await window.close() }
    }

    /// Reads the next turns while the ones before them run.
    private func runAll() async throws {
        let cursor = self.journal(from: self.range.start, to: self.range.end)
        var position = self.range.start
        let (width, replay) = (self.width, self.replay)
        var chunk = try await self.readChunk(cursor)
        while !chunk.jobs.isEmpty || !chunk.isLast {
            let jobs = chunk.jobs
            async let outcome = Self.run(jobs, width, replay)
            let next = chunk.isLast ? Chunk(isLast: true) : try await self.readChunk(cursor)
            try await self.receive(try await outcome)
            self.tally.advance(cursor.position - position)
            position = cursor.position
            chunk = next
        }
        try await self.receive(Outcome())
    }

    private func journal(from start: Int64, to end: Int64) -> PartitionCursor {
        PartitionCursor(self.replayer.log, self.topicPartition(.journal), from: start, to: end)
    }

    private func topicPartition(_ topic: Topic) -> TopicPartition {
        self.replayer.environment.topicPartition(topic, self.range.partition)
    }

    // MARK: Reading

    private func readChunk(_ cursor: PartitionCursor) async throws -> Chunk {
        var chunk = Chunk()
        chunk.jobs.reserveCapacity(Self.chunk)
        while chunk.jobs.count < Self.chunk {
            guard let records = try await cursor.next() else {
                chunk.isLast = true
                break
            }
            for record in records where self.replayer.configuration.selection.includes(record) {
                if let job = try await self.job(of: record) { chunk.jobs.append(job) }
            }
        }
        return chunk
    }

    /// The turn of a journal record with its event; nil when one of the two is missing.
    private func job(of record: LogRecord) async throws -> Job? {
        let position = RecordPosition(.journal, self.range.partition, record.offset)
        guard let turn = TurnRecord(record) else {
            var verdict = TurnVerdict(.error)
            verdict.journal = position
            verdict.advice = "This is not the record of a turn: it was changed, or not written by intentd."
            self.verdicts.append(verdict)
            return nil
        }
        guard let window = self.window(of: turn.position.topic), turn.position.partition == self.range.partition else {
            self.verdicts.append(
                TurnVerdict(
                    .error,
                    of: turn,
                    at: position,
                    advice: "A turn of \(turn.position) does not belong in this partition."
                )
            )
            return nil
        }
        guard turn.position.offset >= window.earliest else {
            throw AuditError(
                .cutByRetention,
                "Retention has removed \(turn.position), the event of turn \(position): a part of the range to replay "
                    + "is lost. Start later (--since, --from-offset)."
            )
        }
        guard let event = try await window.event(at: turn.position.offset, for: turn.stage) else {
            let advice = "Its event \(turn.position) is no longer on its topic."
            self.verdicts.append(TurnVerdict(.missing, of: turn, at: position, advice: advice))
            return nil
        }
        guard !turn.isTruncated else {
            let advice = "Its reads were too large for the journal (R47), so it cannot be replayed."
            self.verdicts.append(TurnVerdict(.error, of: turn, at: position, advice: advice))
            return nil
        }
        return Job(journaled: record, record: turn, event: event)
    }

    private func window(of topic: Topic) -> EventWindow? {
        if let window = self.windows[topic] { return window }
        guard let range = self.range.inputs[topic] else { return nil }
        let window = EventWindow(self.replayer.log, topic, self.topicPartition(topic), range: range)
        self.windows[topic] = window
        return window
    }

    // MARK: Running

    private static func run(_ jobs: [Job], _ width: Int, _ replay: TurnReplay) async throws -> Outcome {
        let slice = max(1, (jobs.count + width - 1) / width)
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            for start in stride(from: 0, to: jobs.count, by: slice) {
                let part = jobs[start..<min(start + slice, jobs.count)]
                group.addTask {
                    var outcome = Outcome()
                    for job in part {
                        try Task.checkCancellation()
                        let result = await replay.replay(job.journaled, job.record, event: job.event)
                        if result.isMatch { outcome.matched += 1 } else { outcome.diverged.append((job, result)) }
                    }
                    return outcome
                }
            }
            var sum = Outcome()
            for try await outcome in group {
                sum.matched += outcome.matched
                sum.diverged += outcome.diverged
            }
            return sum
        }
    }

    private func receive(_ outcome: Outcome) async throws {
        for (job, result) in outcome.diverged.sorted(by: { $0.0.journaled.offset < $1.0.journaled.offset }) {
            let position = RecordPosition(.journal, self.range.partition, job.journaled.offset)
            self.explained += 1
            self.verdicts.append(
                self.explained > Self.explained
                    ? TurnVerdict(
                        DivergenceFinder.outcome(of: job.record),
                        of: job.record,
                        at: position,
                        advice: "The same as the ones before it."
                    )
                    : try await self.finder.verdict(of: job.record, journaled: job.journaled, at: position, result)
            )
        }
        self.tally.add(matched: outcome.matched, self.verdicts)
        self.verdicts = []
    }

    // MARK: Events without a turn

    /// Finds events between those of the turns that no turn has processed: their records are missing.
    ///
    /// It does so only where whole stages are selected. An event that waited behind a parked turn may have its turn
    /// outside the range; it is found there. An event that still waits is in the state.
    private func findEventsWithoutTurn() async throws {
        guard self.replayer.configuration.selection.isWhole else { return }
        var candidates: [RecordPosition: Stage] = [:]
        for (topic, window) in self.windows {
            for (offset, stage) in window.untaken where offset < window.reached[stage] ?? 0 {
                guard self.replayer.configuration.selection.stage.map({ $0 == stage }) ?? true else { continue }
                candidates[RecordPosition(topic, self.range.partition, offset)] = stage
            }
        }
        let (whole, selection) = (self.range.whole, self.replayer.configuration.selection)
        // Where times select, turns within the range were left out too.
        let outside =
            selection.since == nil && selection.until == nil
            ? [whole.lowerBound..<self.range.start, self.range.end..<whole.upperBound] : [whole]
        for range in outside {
            guard !candidates.isEmpty, !range.isEmpty else { continue }
            let cursor = self.journal(from: range.lowerBound, to: range.upperBound)
            while !candidates.isEmpty, let records = try await cursor.next() {
                for record in records {
                    if let turn = TurnRecord(record) { candidates[turn.position] = nil }
                }
            }
            await cursor.close()
        }
        guard !candidates.isEmpty else { return }
        let waiting = try await WaitingEvents.positions(
            self.replayer.log,
            self.replayer.environment.topicPartition(.state, self.range.partition)
        )
        // Where the journal's beginning is gone, an event may have had its turn there.
        let isCut = self.range.whole.lowerBound > 0
        var verdicts: [TurnVerdict] = []
        for (position, stage) in candidates where !waiting.contains(position) && !isCut {
            var verdict = TurnVerdict(.missing)
            verdict.event = position
            verdict.stage = stage
            verdict.advice = "The journal has no turn of \(stage) for this event, although later events were processed."
            verdicts.append(verdict)
        }
        self.tally.add(matched: 0, verdicts)
        self.tally.add(waiting: candidates.keys.count { waiting.contains($0) })
    }
}

/// The events that their stage has read and that wait in its state, behind a parked turn (R5).
enum WaitingEvents {
    /// Their positions, from one partition of `state`.
    static func positions(_ log: any EventLog, _ state: TopicPartition) async throws -> Set<RecordPosition> {
        var waiting: [StateKey: RecordPosition] = [:]
        try await StateReader.read([state], of: log, formats: .current) { entries in
            for entry in entries where entry.key.name.hasPrefix(StateName.queue) {
                let stored = entry.value.flatMap { try? JSONValue(parsing: $0) }.flatMap(StoredRecord.init(json:))
                waiting[entry.key] = stored?.position
            }
            return true
        }
        return Set(waiting.values)
    }
}
