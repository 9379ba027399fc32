internal import IntentEvents
internal import IntentKit

/// Runs turns: decodes, sends home, processes, and turns failures into results (R1, R9, R35, R47).
package struct TurnRunner: Sendable {
    /// The largest record that intentd writes: its topics take 4 MiB, headers included (R47).
    static let maximumOutputBytes = 4 * 1024 * 1024 - 64 * 1024

    /// What all turns of the stage share.
    package let environment: StageEnvironment

    /// Makes a runner for one stage.
    package init(_ environment: StageEnvironment) {
        self.environment = environment
    }

    /// Runs one turn to its end.
    ///
    /// - Returns: The result; nil when the turn was cancelled, or found its interaction ended by somebody else: then
    ///   nothing is to be committed.
    package func run(_ input: TurnInput, source: any StateSource) async -> TurnResult? {
        let environment = self.environment
        let now = environment.clock.now
        let turn = Turn(
            environment: environment,
            input: input,
            event: Self.event(of: input),
            now: now,
            source: source
        ) { interaction in
            LiveTurnHost(
                environment: environment,
                identifiers: TurnIdentifiers(
                    deployment: environment.deployment,
                    stage: environment.stage,
                    position: input.stored.position
                ),
                attempt: input.attempt,
                interaction: interaction,
                user: input.userID,
                source: source
            )
        }
        return await Self.run(turn)
    }

    /// Runs a turn to its end, whatever host it has.
    package static func run(_ turn: Turn) async -> TurnResult? {
        do {
            switch turn.input.event {
            case .success:
                guard !turn.sendHome() else { break }
                try await turn.process()
            case .failure(let error):
                guard !turn.sendHome() else { break }
                turn.buryUndecodable(error)
            }
        } catch is CancellationError where Task.isCancelled {
            return nil
        } catch is LedgerClosedError {
            return nil
        } catch {
            if Task.isCancelled { return nil }
            turn.handlerAnswered()
            if let retryAt = turn.retryTime(after: error) {
                turn.discardOutputs()
                turn.record.outcome = .parked
                return turn.result(retryAt: retryAt)
            }
            await turn.fail(error)
        }
        let result = turn.result()
        guard result.hasOutput(largerThan: Self.maximumOutputBytes) else { return result }
        turn.discardReads()
        await turn.fail(OutputTooLargeError())
        return turn.result()
    }

    /// The event, or what could be told of one that cannot be decoded.
    static func event(of input: TurnInput) -> Event {
        switch input.event {
        case .success(let event): return event
        case .failure(let error):
            return Event(
                undecodable: error,
                id: input.stored.position.description,
                time: input.stored.timestamp
            )
        }
    }
}

/// A turn's output is larger than the topics take (R47).
struct OutputTooLargeError: Error, CustomStringConvertible {
    /// What happened.
    var description: String { "The turn's output is larger than \(TurnRunner.maximumOutputBytes) bytes." }
}
