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
    func retryTime(after error: any Error) -> Timestamp? {
        let isTransient = (error as? JournaledError)?.isTransient ?? (error is any TransientError)
        let attempt = self.input.attempt
        guard isTransient, attempt < self.settings.maxTries else { return nil }
        // 0.5 s, doubled each time, half of it random, so that turns that failed together are not retried together.
        let base: Int64 = 500 << min(max(attempt - 1, 0), 20)
        let jitter = Int64(self.stageHost(for: self.interaction).nextRandom() % UInt64(base))
        let retryAt = self.now + (base / 2 + jitter)
        let firstTriedAt = self.input.firstTriedAt ?? self.record.at
        return retryAt - firstTriedAt < self.settings.retryWindow.milliseconds ? retryAt : nil
    }
}

extension Interaction {
    /// Discards the values, when no record with them could be written.
    mutating func discardValues() {
        self.intent.parameters = [:]
        self.ignoredParameters = []
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
