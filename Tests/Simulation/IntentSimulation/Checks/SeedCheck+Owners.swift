internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// No user acts on another's interaction, an event that names two users belongs to none, and events that only
    /// intentd may write have no effect where clients write them (R1, R14).
    ///
    /// It compares bytes itself, because the comparison of names is what is tested.
    func owners() -> [String] {
        var violations: [String] = []
        for (_, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            for turn in entries.map(\.turn) {
                let owner = turn.request.flatMap { self.user(of: $0) }
                if let owner, owner != Array(turn.userID.utf8) {
                    violations.append(
                        "owners: the turn \(turn.position) of \(turn.userID) acted on another's interaction"
                    )
                }
                if self.isForged(turn.position), turn.outcome != .deadLettered {
                    violations.append("owners: \(turn.position) names two users and was \(turn.outcome)")
                }
                if self.isClaimed(turn.position), !self.didNothing(turn) {
                    violations.append(
                        "owners: a client wrote \(turn.position) \(turn.eventType), which was \(turn.outcome)"
                    )
                }
            }
        }
        return violations
    }

    /// The bytes of the user who asked for an interaction.
    private func user(of request: RequestID) -> [UInt8]? {
        RecordPosition("requests/\(request.text.split(separator: ":").joined(separator: "/"))")
            .flatMap { self.event(at: $0) }
            .map { Array($0.userID.utf8) }
    }

    /// Whether a record's key and its header name different users.
    private func isForged(_ position: RecordPosition) -> Bool {
        guard position.topic == .requests,
            let record = self.history.records(of: .requests, position.partition)
                .first(where: { $0.offset == position.offset }),
            let key = record.key, let user = record.headers.last(where: { $0.name == EventHeaderName.userID })?.value
        else { return false }
        return !key.isEmpty && !user.isEmpty && key != user
    }

    /// Whether a client wrote an event that only intentd may write.
    private func isClaimed(_ position: RecordPosition) -> Bool {
        guard position.topic == .requests, let type = self.event(at: position)?.knownType else { return false }
        return !type.isInbound
    }

    /// Whether a turn left its event without effect: ignored, or not even read at its position.
    private func didNothing(_ turn: TurnRecord) -> Bool {
        switch turn.outcome {
        case .ignored, .forwarded, .refused: true
        case .parked: turn.isParkingNote
        case .deadLettered: turn.crash != nil || turn.isTruncated
        case .rejected, .prompted, .passed, .returned, .ended, .reported, .noted: false
        }
    }
}
