package import IntentEvents

/// Runs recorded turns again and compares what they come to, byte for byte (SPEC R42).
///
/// Nothing is written and nobody is asked: a turn is a function of its event and its record.
package struct TurnReplay: Sendable {
    /// What came of running a turn again.
    package enum Outcome: Hashable, Sendable {
        /// The same bytes.
        case matched
        /// Something else: the record as it was, and as it would be now. Its outputs are in it, by digest.
        case diverged(recorded: String, replayed: String)
        /// The turn says only that its handler was still running: there is nothing to compare.
        case nothingToCompare
    }

    private let environment: StageEnvironment

    /// Makes a replay with the handlers and settings of this environment; ledger and clock are not used.
    package init(_ environment: StageEnvironment) {
        self.environment = environment
    }

    /// Runs one turn again.
    ///
    /// - Parameters:
    ///   - journaled: The value of the turn's record on `journal`.
    ///   - record: The same, read.
    ///   - event: The event that was processed.
    /// - Returns: What came of it.
    package func replay(_ journaled: [UInt8], _ record: TurnRecord, event: StoredRecord) async -> Outcome {
        if record.outcome == .parked && record.reads.isEmpty && record.before.isEmpty { return .nothingToCompare }
        var environment = self.environment
        environment.stage = record.stage
        environment.worker = record.worker
        let input = TurnInput(event, attempt: record.attempt, firstTriedAt: record.firstTriedAt)
        let turn = Turn(
            environment: environment,
            input: input,
            event: TurnRunner.event(of: input),
            now: record.at,
            source: RecordedState(before: record.before)
        ) { [deployment = environment.deployment] _ in ReplayTurnHost(record, deployment: deployment) }
        var result: TurnResult?
        if record.outcome == .refused {
            result = turn.refused()
        } else {
            result = await TurnRunner.run(turn)
        }
        var assembler = TurnAssembler(
            environment: environment,
            partition: record.position.partition,
            chain: record.previousDigest
        )
        if let result { assembler.append(UserRun.Entry(result: result, generation: record.generation)) }
        let replayed = assembler.records.last?.value ?? []
        guard replayed != journaled else { return .matched }
        return .diverged(
            recorded: String(decoding: journaled, as: UTF8.self),
            replayed: String(decoding: replayed, as: UTF8.self)
        )
    }
}
