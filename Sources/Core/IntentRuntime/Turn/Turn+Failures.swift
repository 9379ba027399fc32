internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Forwards an event that a client put into another partition to its user's home, unchanged (R1).
    ///
    /// A record that is too large to be forwarded, and so no event, stays where it is; its answer goes to the home
    /// partition.
    ///
    /// - Returns: Whether it was forwarded.
    func sendHome() -> Bool {
        guard let home = self.input.partitionElsewhere(self.environment) else { return false }
        guard RecordLimits.allowsForwarding(self.input.stored, to: .requests) else {
            self.answerPartition = home
            return false
        }
        self.record.outcome = .forwarded
        self.output(.forward(.requests, partition: home, stage: nil))
        return true
    }

    /// Finds the interaction of an event that can only become a dead letter, since a topic did not accept what its turn
    /// wrote.
    func findUnwritable() -> Interaction? {
        self.isCut = true
        self.record.isTruncated = true
        let interaction = self.interaction(
            of: ParkedTurn(
                event: self.input.stored,
                interactionID: self.input.interactionID(self.environment),
                startedAt: self.record.at,
                timeoutAt: self.record.at
            )
        )
        guard let interaction, self.event.knownType == .intentRequested else { return interaction }
        guard self.known(interaction.id) == nil else { return nil }
        self.record.opened = true
        return interaction
    }

    /// Ends the interaction without the values that a topic did not accept, and sends the event to dead letters.
    func deadLetteredAsUnwritable(_ interaction: Interaction?) -> TurnResult {
        let error = OutputTooLargeError()
        let failure = TurnFailure(error, isFinal: true)
        self.failure = failure
        self.discardReads()
        let names = self.heldEffects ?? []
        self.omitsEffects = names.reduce(0) { $0 + $1.utf8.count + 3 } > OutgoingRecord.leastBytes
        if let interaction {
            self.act(on: interaction) { interaction in
                interaction.discardValues()
                self.conclude(&interaction, .error, response: self.response(to: failure, in: interaction))
            }
        } else {
            self.record.outcome = .deadLettered
        }
        self.output(.deadLetter(error: EventDecodingError.Code.tooLarge.rawValue, detail: "\(error)"))
        return self.result()
    }

    /// The answer to an event for which there is no room behind a parked turn (R5).
    func refused() -> TurnResult {
        self.reject(
            .busy,
            "User \(self.event.userID) has \(self.settings.queueLimit) events waiting behind one that is still processed."
        )
        self.record.outcome = .refused
        return self.result()
    }

    /// When a failed turn is tried again: if its error is transient, and it was not tried too often or too long (R35).
    func retry(after error: any Error) -> Retry? {
        let isTransient =
            (error as? JournaledError)?.isTransient ?? (error as? OpenOutcomeError)?.isTransient
            ?? (error is any TransientError)
        let (attempt, policy) = (self.attempt, self.retryPolicy)
        guard isTransient, attempt < policy.attempts else { return nil }
        // Half of it is random, so that turns that failed together are not retried together.
        let base = max(policy.delay(after: attempt).milliseconds, 1)
        let jitter = Int64(self.stageHost(for: self.interaction).nextRandom() % UInt64(base))
        let asked = self.delay(askedForBy: error, upTo: policy.longest)
        let retryAt = self.now + max(base / 2 + jitter, asked)
        guard retryAt - self.firstTriedAt < policy.within.milliseconds else { return nil }
        let waits = self.mayWait && max(base, asked) >= Self.longestParkedDelay
        self.waitsNow(for: retryAt, attempt: attempt + 1, of: policy)
        return Retry(at: retryAt, waits: waits, until: self.firstTriedAt + policy.within.milliseconds)
    }

    /// Journals what the interaction waits for (R80): its next attempt, or an operator if there is no time.
    func waitsNow(for time: Timestamp?, attempt: Int, of policy: RetryPolicy) {
        guard self.environment.journalsWaits else { return }
        self.record.wait = TurnWait(nextAt: time, attempt: attempt, attempts: max(policy.attempts, attempt))
    }

    /// The delay in milliseconds from which a turn does not stay parked, since the user's other events wait behind it.
    private static let longestParkedDelay: Int64 = 5_000

    /// When the first try began, before long waits as well.
    var firstTriedAt: Timestamp { self.waited?.firstTriedAt ?? self.input.firstTriedAt ?? self.record.at }

    /// The handler's policy for what `handle` does, else the default.
    private var retryPolicy: RetryPolicy {
        let standard = self.environment.retryPolicy
        guard self.environment.triesPatiently, self.stage == .handle, let interaction = self.interaction,
            self.handlesIntent || self.event.knownType == .appResponded
        else { return standard }
        let policy = self.registered(interaction)?.registration.retry ?? standard
        return self.mayWait ? policy : policy.cut(to: RetryPolicy.standard.within)
    }

    /// Whether the turn performs the task, for the first time or after a wait.
    private var handlesIntent: Bool { self.event.knownType == .intentConfirmed || self.waited != nil }

    /// Whether its interaction can wait for the next try by itself (R76): an older worker would not know how (R57).
    private var mayWait: Bool {
        self.environment.triesPatiently && self.stage == .handle && self.handlesIntent && self.interaction != nil
            && !(self.host?.triesAtOnce ?? false) && self.mayWriteFormat2()
    }

    /// The delay in milliseconds before which no further try helps, as far as the error says so.
    func delay(askedForBy error: any Error, upTo longest: Duration) -> Int64 {
        guard self.environment.triesPatiently else { return 0 }
        let asked =
            (error as? JournaledError)?.retryAfter ?? (error as? OpenOutcomeError)?.retryAfter
            ?? (error as? any TransientError)?.retryAfter
        return max(min(asked ?? .zero, longest), .zero).milliseconds
    }
}

/// The next try of a failed turn.
struct Retry: Hashable, Sendable {
    var at: Timestamp
    /// Whether the interaction waits for it by itself, instead of a parked turn.
    var waits: Bool
    /// When no further try begins.
    var until: Timestamp
}

extension Interaction {
    /// Discards the values, when no record with them could be written.
    mutating func discardValues() {
        self.intent.parameters = [:]
        self.understood = [:]
        self.ambiguous = [:]
        self.ignoredParameters = []
        self.mistakes = []
        self.namedMistakes = 0
        self.groupIdentifier = nil
    }
}

extension Event {
    /// The readable parts of an event that cannot be decoded.
    init(undecodable error: EventDecodingError, id: String, time: Timestamp) {
        self.init(
            id: id,
            source: "unknown",
            type: .intentRequested,
            time: time,
            subject: error.subject,
            userID: error.userID ?? "",
            data: .object([:])
        )
        self.type = error.type ?? "unknown"
    }
}
