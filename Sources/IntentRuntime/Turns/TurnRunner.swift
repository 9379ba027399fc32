package import IntentEvents
internal import IntentKit

/// Runs turns: decodes, sends home, processes, and turns failures into results (R1, R9, R35, R47).
package struct TurnRunner: Sendable {
    /// What all turns of the stage share.
    package let environment: StageEnvironment
    /// Events of which a topic did not take what their turns wrote.
    private let unwritable: Set<RecordPosition>

    /// Makes a runner for one stage.
    ///
    /// - Parameters:
    ///   - environment: What all turns of the stage share.
    ///   - unwritable: Events that are buried because a topic did not take what their turns wrote.
    package init(_ environment: StageEnvironment, unwritable: Set<RecordPosition> = []) {
        self.environment = environment
        self.unwritable = unwritable
    }

    /// Whether nothing of the event can wait in state: it is buried at once.
    func isBuriedAtOnce(_ input: TurnInput) -> Bool {
        !input.isDecoded || self.unwritable.contains(input.stored.position)
    }

    /// Runs one turn to its end.
    ///
    /// - Returns: The result; nil when the turn was cancelled, or found its interaction ended by somebody else: then
    ///   nothing is to be committed.
    package func run(_ input: TurnInput, source: any StateSource) async -> TurnResult? {
        guard let crashes = self.environment.crashes, input.crash == nil else {
            return await self.runUnwatched(input, source: source)
        }
        let pass = await crashes.enter(TurnPlace(self.environment.stage, input.stored.position))
        defer { crashes.leave(pass) }
        // It may have had to wait.
        guard !Task.isCancelled else { return nil }
        var input = input
        input.crash = pass.verdict
        return await self.runUnwatched(input, source: source)
    }

    private func runUnwatched(_ input: TurnInput, source: any StateSource) async -> TurnResult? {
        let turn = self.turn(input, Self.event(of: input), source: source)
        guard self.unwritable.contains(input.stored.position), input.isDecoded else {
            turn.isCut = self.unwritable.contains(input.stored.position)
            return await Self.run(turn)
        }
        turn.findUnwritable()
        if let interaction = turn.interaction {
            _ = try? await turn.closeLedger(of: interaction, unlessEffects: false)
        }
        return turn.buriedAsUnwritable()
    }

    /// Buries an event of which nothing can wait in state.
    func bury(_ input: TurnInput, source: any StateSource) -> TurnResult {
        let turn = self.turn(input, Self.event(of: input), source: source)
        turn.isCut = self.unwritable.contains(input.stored.position)
        if case .failure(let error) = input.event { return turn.buried(error) }
        turn.findUnwritable()
        return turn.buriedAsUnwritable()
    }

    /// Makes a turn whose handlers touch the outside.
    func turn(_ input: TurnInput, _ event: Event, source: any StateSource) -> Turn {
        let environment = self.environment
        return Turn(
            environment: environment,
            input: input,
            event: event,
            now: environment.clock.now,
            source: source
        )
    }

    /// Runs a turn to its end, whatever host it has.
    package static func run(_ turn: Turn) async -> TurnResult? {
        do {
            switch turn.input.event {
            case .success:
                guard !turn.sendHome() else { break }
                if let verdict = turn.record.crash {
                    try await turn.end(condemnedAs: verdict)
                } else {
                    try await turn.process()
                }
            case .failure(let error):
                // At home it would only be read again.
                guard turn.input.isUndecoded || !turn.sendHome() else { break }
                turn.buryUndecodable(error)
            }
        } catch is CancellationError where Task.isCancelled {
            return nil
        } catch is LedgerClosedError {
            return nil
        } catch is ForeignRequestError {
            // The lane ends before it commits anything.
            return nil
        } catch {
            if Task.isCancelled { return nil }
            turn.handlerAnswered()
            if let retryAt = turn.retryTime(after: error) {
                turn.discardOutputs()
                turn.record.outcome = .parked
                turn.failure = TurnFailure(error, isFinal: false)
                return turn.result(retryAt: retryAt)
            }
            await turn.fail(error)
        }
        let result = turn.result()
        guard !result.fits else { return result }
        turn.discardReads()
        await turn.fail(OutputTooLargeError())
        let failed = turn.result()
        guard !failed.fits else { return failed }
        // It is the interaction itself, or what was read to end it, that is too large.
        turn.discardValues()
        await turn.fail(OutputTooLargeError())
        turn.discardReads()
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
    var description: String { "The turn's output is larger than \(RecordLimits.value) bytes." }
}
