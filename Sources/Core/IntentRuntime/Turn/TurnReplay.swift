package import IntentEvents
internal import IntentKit

/// Runs recorded turns again and compares their outputs, byte for byte (R42).
///
/// Nothing is written and no service is called: a turn is a function of its event and its record.
package struct TurnReplay: Sendable {
    /// The result of running a turn again.
    package struct Result: Sendable {
        /// Whether it produced the same bytes.
        package var isMatch: Bool
        /// The turn's record as it would be now; nil when the turn had no result.
        package var record: TurnRecord?
        /// The records that it would write now, in order, its journal record last.
        package var outputs: [OutgoingRecord]
        /// The state changes that it would make now; nil removes an entry.
        package var writes: StateWrites
        /// The reads and effects that it asks for now and that are not in the record, such as `run weather`.
        package var unrecordedReads: [String]
    }

    private let environment: StageEnvironment

    /// Makes a replay with the handlers and settings of this environment; ledger and clock are not used.
    package init(_ environment: StageEnvironment) { self.environment = environment }

    /// The handler of the turn today.
    package func handler(of record: TurnRecord) -> (name: String, version: String)? {
        guard record.handlerName != nil, let intent = record.intentName,
            let registration = self.environment.registry[intent]?.registration
        else { return nil }
        return (registration.handlerName, registration.handlerVersion)
    }

    /// Runs one turn again.
    ///
    /// - Parameters:
    ///   - journaled: The turn's record on `journal`.
    ///   - record: The same, parsed.
    ///   - event: The event that was processed.
    /// - Returns: The result.
    package func replay(_ journaled: LogRecord, _ record: TurnRecord, event: StoredRecord) async -> Result {
        var settings = self.environment.settings
        settings.formats.writes = RecordFormats.format(of: journaled.content, on: .journal) ?? 1
        let environment = self.environment.with(
            stage: record.stage,
            settings: settings,
            worker: record.worker,
            isScripted: record.isScripted,
            behaviour: record.behaviour,
            redrive: .recorded(record.isRedriven ?? record.isDecided)
        )
        let input = TurnInput(event, attempt: record.attempt, firstTriedAt: record.firstTriedAt, crash: record.crash)
            .namingUser(in: environment)
        let host = ReplayTurnHost(record, deployment: environment.deployment)
        guard let result = await self.run(input, record, host, environment) else {
            return Result(
                isMatch: false,
                record: nil,
                outputs: [],
                writes: [:],
                unrecordedReads: host.unrecordedReads
            )
        }
        // A changed version with the same outputs has changed nothing, and concurrent reads have no order.
        var now = result.record
        now.behaviour = record.behaviour
        if now.handlerName != nil, record.handlerName != nil {
            now.handlerName = record.handlerName
            now.handlerVersion = record.handlerVersion
        }
        if now.reads != record.reads, Self.counts(now.reads) == Self.counts(record.reads) { now.reads = record.reads }
        var assembler = TurnAssembler(
            environment: environment,
            partition: record.position.partition,
            chain: record.previousDigest
        )
        assembler.append(result, generation: record.generation, as: now)
        let replayed = assembler.records.last
        let isMatch = replayed?.content == journaled.content
        let written = replayed.flatMap { outgoing in
            isMatch
                ? record
                : TurnRecord(outgoing.content)
        }
        return Result(
            isMatch: isMatch,
            record: written,
            outputs: assembler.records,
            writes: result.writes,
            unrecordedReads: host.unrecordedReads
        )
    }

    private func run(
        _ input: TurnInput,
        _ record: TurnRecord,
        _ host: ReplayTurnHost,
        _ environment: StageEnvironment
    ) async -> TurnResult? {
        if record.isParkingNote { return input.parkingNote(at: record.at, request: record.request, environment) }
        let turn = Turn(
            environment: environment,
            input: input,
            now: record.at,
            source: RecordedState(before: record.before, held: record.held),
            replaying: host
        )
        if let note = record.note { return turn.noted(note) }
        return record.outcome == .refused ? turn.refused() : await turn.run()
    }

    private static func counts(_ reads: [JournalRead]) -> [JournalRead: Int] {
        reads.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
