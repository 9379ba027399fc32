internal import IntentEvents
internal import IntentKit

/// How a turn is run: decoded, forwarded, processed; and how a failure becomes a result (R1, R9, R35, R47).
extension Turn {
    /// Runs the turn of an event to its end.
    ///
    /// - Parameters:
    ///   - input: The record and its circumstances.
    ///   - environment: What all turns of the stage share.
    ///   - source: The user's state.
    ///   - isUnwritable: Whether the event only goes to dead letters, because a topic did not accept what its turn wrote.
    ///   - slot: Where the turn is marked; nil if it has to be admitted first, or no marks are made.
    ///   - notes: Receives what its handler says while it is running; nil for nobody.
    /// - Returns: The result; nil when the turn was cancelled, or found its interaction ended by another turn: then
    ///   nothing is to be committed.
    package static func run(
        _ input: TurnInput,
        in environment: StageEnvironment,
        source: any StateSource,
        isUnwritable: Bool = false,
        slot: CrashWatch.Slot? = nil,
        notes: (any NoteReceiver)? = nil
    ) async -> TurnResult? {
        guard let crashes = environment.crashes, input.crash == nil else {
            return await Turn(input, environment, source, notes).run(isUnwritable: isUnwritable)
        }
        let pass = await crashes.enter(TurnKey(environment.stage, input.stored.position), in: slot)
        defer { crashes.leave(pass) }
        // It may have had to wait.
        guard !Task.isCancelled else { return nil }
        var input = input
        input.crash = pass.verdict
        return await Turn(input, environment, source, notes).run(isUnwritable: isUnwritable)
    }

    /// Sends an event to dead letters of which nothing can wait in state.
    ///
    /// - Parameters:
    ///   - input: The record and its circumstances.
    ///   - environment: What all turns of the stage share.
    ///   - source: The user's state.
    ///   - isUnwritable: Whether a topic did not accept what its turn wrote.
    /// - Returns: The result.
    static func deadLetter(
        _ input: TurnInput,
        in environment: StageEnvironment,
        source: any StateSource,
        isUnwritable: Bool
    ) -> TurnResult {
        let turn = Turn(input, environment, source)
        turn.isCut = isUnwritable
        guard let error = input.error else { return turn.deadLetteredAsUnwritable(turn.findUnwritable()) }
        return turn.stageTurn.deadLettered(error)
    }

    /// Makes a turn whose handlers access the outside world.
    convenience init(
        _ input: TurnInput,
        _ environment: StageEnvironment,
        _ source: any StateSource,
        _ notes: (any NoteReceiver)? = nil
    ) {
        self.init(
            environment: environment,
            input: input,
            now: environment.clock.now,
            source: source,
            notes: notes
        )
    }

    private var stageTurn: any StageTurn {
        switch self.stage {
        case .resolve: ResolveTurn(self)
        case .confirm: ConfirmTurn(self)
        case .handle: HandleTurn(self)
        }
    }

    /// Runs the turn to its end, with any host.
    ///
    /// - Parameter isUnwritable: Whether the event only goes to dead letters, because a topic did not accept what its
    ///   turn wrote.
    /// - Returns: The result; nil when nothing is to be committed.
    package func run(isUnwritable: Bool = false) async -> TurnResult? {
        self.isCut = isUnwritable
        // One call for each type, so that the shared code is specialised for each.
        switch self.stage {
        case .resolve: return await ResolveTurn(self).run(isUnwritable: isUnwritable)
        case .confirm: return await ConfirmTurn(self).run(isUnwritable: isUnwritable)
        case .handle: return await HandleTurn(self).run(isUnwritable: isUnwritable)
        }
    }
}

extension StageTurn {
    fileprivate func run(isUnwritable: Bool) async -> TurnResult? {
        if isUnwritable, self.turn.input.isDecoded {
            let interaction = self.turn.findUnwritable()
            if let interaction { try? await self.turn.closeLedger(of: interaction) }
            return self.turn.deadLetteredAsUnwritable(interaction)
        }
        do {
            try await self.begin()
        } catch is CancellationError where Task.isCancelled {
            return nil
        } catch is LedgerClosedError {
            return nil
        } catch is ForeignRequestError {
            // The lane ends before it commits anything.
            return nil
        } catch {
            if Task.isCancelled { return nil }
            self.turn.handlerAnswered()
            guard let retry = self.turn.retry(after: error) else {
                if error is OpenOutcomeError, self.turn.interaction != nil {
                    self.turn.discardOutputs()
                    self.turn.failure = TurnFailure(error, isFinal: true)
                    self.turn.waitForOperator()
                } else {
                    await self.fail(error)
                }
                return await self.fittingResult()
            }
            self.turn.discardOutputs()
            var failure = TurnFailure(error, isFinal: false)
            failure.retryAt = retry.at
            self.turn.failure = failure
            guard retry.waits else {
                self.turn.record.outcome = .parked
                return self.turn.result(retryAt: retry.at)
            }
            self.turn.wait(for: retry)
        }
        return await self.fittingResult()
    }

    /// Processes the event, unless it only has to be forwarded home, condemned or sent to dead letters.
    private func begin() async throws {
        if let error = self.turn.input.error {
            // At home it would only be read again.
            guard self.turn.input.isUndecoded || !self.turn.sendHome() else { return }
            self.deadLetter(error)
            return
        }
        guard !self.turn.sendHome() else { return }
        if let verdict = self.turn.record.crash {
            try await self.end(condemnedAs: verdict)
        } else {
            try await self.process()
        }
    }

    /// The turn's result, without what the topics would not accept (R47).
    private func fittingResult() async -> TurnResult {
        let result = self.turn.result()
        guard !result.fits else { return result }
        self.turn.reopen(result)
        self.turn.discardReads()
        await self.fail(OutputTooLargeError())
        let failed = self.turn.result()
        guard !failed.fits else { return failed }
        self.turn.reopen(failed)
        // The interaction itself, or what was read to end it, is too large.
        self.turn.discardValues()
        await self.fail(OutputTooLargeError())
        self.turn.discardReads()
        let bare = self.turn.result()
        guard !bare.fits else { return bare }
        self.turn.reopen(bare)
        // The names of its effects are.
        self.turn.omitsEffects = true
        await self.fail(OutputTooLargeError())
        self.turn.discardReads()
        return self.turn.result()
    }
}

/// A turn's output is larger than the topics accept (R47).
struct OutputTooLargeError: Error, CustomStringConvertible {
    /// What happened.
    var description: String { "The turn's output is larger than \(RecordLimits.value) bytes." }
}
