package import IntentEvents
internal import IntentKit

extension TurnInput {
    /// The interaction of the event, as far as the event alone says.
    func interactionID(_ environment: StageEnvironment) -> InteractionID? {
        guard case .success(let event) = self.event else { return nil }
        if let id = event.promptID?.interaction ?? event.subject { return id }
        return InteractionID(
            TurnIdentifiers(
                deployment: environment.deployment,
                stage: environment.stage,
                position: self.stored.position
            )
            .id(generation: 0, ordinal: "s")
        )
    }

    /// The journal record of a turn that continues after its batch (R5): that it began, and nothing else.
    func parkingNote(at now: Timestamp, _ environment: StageEnvironment) -> TurnResult? {
        guard case .success(let event) = self.event else { return nil }
        var record = TurnDraft(
            stage: environment.stage,
            position: self.stored.position,
            eventID: event.id,
            eventType: event.type,
            userID: event.userID,
            at: now,
            attempt: self.attempt,
            worker: environment.worker,
            outcome: .parked
        )
        record.interactionID = self.interactionID(environment)
        record.request = event.requestTold
        return TurnResult(stored: self.stored, record: record)
    }
}

extension TurnDraft {
    /// Whether the record only says that its handler was still running.
    package var isParkingNote: Bool {
        self.outcome == .parked && self.handlerName == nil && self.before.isEmpty && self.reads.isEmpty
    }
}

extension Event {
    /// The interaction's request, as another stage names it; a client's value is ignored (R8).
    var requestTold: RequestID? { self.knownType?.isInbound == false ? self.request : nil }
}
