internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Writes an event about an interaction.
    func emit(
        _ type: EventType,
        about interaction: Interaction,
        to topic: Topic,
        stage: Stage? = nil,
        data: JSONValue
    ) {
        self.emit(type, about: interaction, to: topic, stage: stage) { $0.value(data) }
    }

    /// Writes an event about an interaction; `write` writes its data.
    func emit(
        _ type: EventType,
        about interaction: Interaction,
        to topic: Topic,
        stage: Stage? = nil,
        data write: (inout JSONText) -> Void
    ) {
        let draft = EventDraft(
            type: type,
            time: self.now,
            subject: interaction.id,
            request: interaction.request,
            userID: self.event.userID,
            stage: stage,
            passedThrough: interaction.passedThrough,
            data: write
        )
        self.output(.event(topic, draft))
    }

    /// The passed-through headers of an event without an interaction: as they came, except a claim to be redriven
    /// (R48), which any client may write.
    private var carriedAlong: [String: String] {
        var carried = self.event.passedThrough
        if let origin = carried[EventHeaderName.redriveOf], !RequestID(origin).isPosition {
            carried[EventHeaderName.redriveOf] = nil
        }
        return carried
    }

    /// Tells the sender that the event had nothing to act on (R12, R23).
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - detail: What is wrong, and what is expected.
    ///   - intent: The name of the interaction's intent, if the event names an interaction that is open.
    ///   - undo: What the client may send to undo the interaction instead (R75).
    func reject(_ reason: RejectionReason, _ detail: String, intent: String? = nil, undo: JSONValue? = nil) {
        self.record.outcome = .rejected
        let explains = self.environment.explainsToClients
        let data = JSONValue.members([
            "detail": .string(detail),
            "eventId": .string(self.event.id),
            "promptId": self.event["promptId"]?.string.map(JSONValue.string),
            "reason": .string(reason.rawValue),
            "undo": undo,
            "user": explains ? ["id": .string(self.event.userID.text)] : nil,
            "warnings": self.mistakes.warnings(intent: intent),
        ])
        // A client finds what concerns it by the interaction, which an answer names in its prompt's id.
        let prompted = explains ? self.event.promptID?.interaction : nil
        let draft = EventDraft(
            type: .eventRejected,
            time: self.now,
            subject: self.event.subject ?? prompted,
            request: nil,
            userID: self.event.userID,
            stage: nil,
            passedThrough: self.carriedAlong,
            data: { $0.value(data) }
        )
        self.output(.event(.responses, draft))
    }

    /// Forwards the event unchanged.
    func forward(to topic: Topic, stage: Stage? = nil) {
        self.record.outcome = .forwarded
        self.output(.forward(topic, partition: self.partition, stage: stage))
    }

    /// Forwards the event to the next stage; the last stage has none.
    func forwardToNextStage() -> Bool {
        guard let topic = self.stage.nextTopic else { return false }
        self.forward(to: topic)
        return true
    }
}

/// Why an event was rejected (contract, section 2).
package enum RejectionReason: String, Sendable, CaseIterable {
    /// The prompt was replaced by another.
    case superseded
    /// The prompt was answered already.
    case duplicate
    case expired
    /// Prompt or interaction not found.
    case unknown
    case invalid
    /// Too many events of this user wait already.
    case busy
    /// The interaction has ended, or something has been done already.
    case late
    /// The prompt was issued to another user.
    case notYours
    /// The id is that of another request of the same user (R8).
    case idConflict
}
