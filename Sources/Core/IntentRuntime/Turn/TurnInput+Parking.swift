package import IntentEvents
internal import IntentKit

extension TurnInput {
    /// The interaction of the event, as far as the event alone says.
    func interactionID(_ environment: StageEnvironment) -> InteractionID? {
        guard self.isDecoded else { return nil }
        if let id = self.event.promptID?.interaction ?? self.event.subject { return id }
        return InteractionID(
            environment.identifiers(of: self.stored.position).id(generation: 0, ordinal: "s")
        )
    }

    /// The request of the event's interaction: from the event, or from the user's state (R8).
    func request(of interactionID: InteractionID?, _ known: (InteractionID) -> KnownInteraction?) -> RequestID? {
        guard self.isDecoded else { return nil }
        if let request = self.event.forwardedRequest ?? interactionID.flatMap(known)?.request { return request }
        guard self.event.knownType == .intentRequested, self.stored.position.topic == .requests else { return nil }
        return RequestID("\(self.stored.position.partition):\(self.stored.position.offset)")
    }

    /// The intent of the event's turn: from the event, or from its interaction in the user's state.
    func intentName(of interactionID: InteractionID?, in entry: (StateName) -> StateEntry?) -> String? {
        guard self.isDecoded else { return nil }
        var name: String?
        self.event.fields.withView { name = ($0["intent"] ?? $0["interaction"]?["intent"])?["name"]?.string }
        if let name { return name }
        let known = interactionID.flatMap { entry(StateName.known($0)) }?.form(KnownInteraction.self)
        guard let request = self.event.forwardedRequest ?? known?.request else { return nil }
        return entry(StateName.interaction(request))?.form(Interaction.self)?.intent.name
    }

    /// The journal record of a turn that continues after its batch (R5): that it began, and nothing else.
    ///
    /// - Parameters:
    ///   - time: When the turn began, or was put first among those that wait.
    ///   - request: The request of its interaction, if that is known.
    ///   - environment: What all turns of the stage share.
    /// - Returns: The result; nil for a record that is no event.
    func parkingNote(at time: Timestamp, request: RequestID?, _ environment: StageEnvironment) -> TurnResult? {
        guard self.isDecoded else { return nil }
        var record = TurnDraft(
            stage: environment.stage,
            position: self.stored.position,
            eventID: self.event.id,
            eventType: self.event.type,
            userID: self.event.userID,
            at: time,
            attempt: self.attempt,
            worker: environment.worker,
            outcome: .parked
        )
        record.interactionID = self.interactionID(environment)
        record.request = request
        return TurnResult(input: self, record: record)
    }
}

extension TurnDraft {
    /// Whether the record only says that its handler was still running.
    package var isParkingNote: Bool {
        self.outcome == .parked && self.handlerName == nil && self.before.isEmpty && self.reads.isEmpty
            && self.note == nil
    }

    /// Whether the record is about a turn whose handler was still running; the turn's own record follows.
    package var isOfRunningTurn: Bool { self.isParkingNote || self.note != nil }
}

extension Event {
    /// The interaction's request, as another stage names it; a client's value is ignored (R8).
    var forwardedRequest: RequestID? { self.knownType?.isInbound == false ? self.request : nil }
}
