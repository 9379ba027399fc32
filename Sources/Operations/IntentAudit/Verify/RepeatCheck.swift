internal import IntentEvents

/// Finds what was done twice in one partition: events with two turns of one stage, and interactions that ended twice
/// (R2, R9).
///
/// Such turns follow each other in an unbroken chain when the group's offsets were set back.
struct RepeatCheck {
    /// A turn's event; no other turn of the stage has the same.
    private struct Occasion: Hashable {
        var stage: Stage
        var topic: Topic
        var offset: Int64
        var generation: Int
    }

    private struct Conversation: Hashable {
        var user: UserID
        var request: RequestID
    }

    private var occasions: Set<Occasion> = []
    private var ends: [Conversation: RecordPosition] = [:]

    /// Records a turn.
    ///
    /// - Returns: A finding when an earlier one has processed the same event.
    mutating func record(_ turn: TurnRecord, at position: RecordPosition) -> AuditFinding? {
        let occasion = Occasion(
            stage: turn.stage,
            topic: turn.position.topic,
            offset: turn.position.offset,
            generation: turn.generation
        )
        guard !self.occasions.insert(occasion).inserted else { return nil }
        return AuditFinding(
            .event,
            turn.position.description,
            "\(turn.stage) processed it again in turn \(position): the group's offsets were reset, or events "
                + "were delivered at least once.",
            about: InteractionReference(turn)
        )
    }

    /// Records a terminal response, and the turn that wrote it.
    ///
    /// - Returns: A finding when the interaction had ended before.
    mutating func record(endBy turn: TurnRecord, at position: RecordPosition) -> AuditFinding? {
        // Turns of early versions do not name the request; an id may be used again.
        guard let request = turn.request else { return nil }
        let conversation = Conversation(user: turn.userID, request: request)
        guard let first = self.ends[conversation] else {
            self.ends[conversation] = position
            return nil
        }
        return AuditFinding(
            .output,
            position.description,
            "A second terminal response: the interaction had ended with \(first).",
            about: InteractionReference(turn)
        )
    }
}
