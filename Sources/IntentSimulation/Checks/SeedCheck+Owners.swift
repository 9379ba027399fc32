internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// Nobody acts on another's interaction, and an event that names two users is nobody's (R1, R14).
    ///
    /// Compares bytes itself: what compares names is what is tested.
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
}
