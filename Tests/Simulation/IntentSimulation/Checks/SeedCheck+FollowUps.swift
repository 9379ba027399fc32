internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// How often resolve has written the request of each interaction that a handler has started.
    var requestedFollowUps: [InteractionID: Int] {
        var counts: [InteractionID: Int] = [:]
        for records in (self.history.records[.requests] ?? [:]).values {
            for record in records {
                guard record.header(EventHeaderName.source) == Stage.resolve.source,
                    record.header(EventHeaderName.followsFrom) != nil,
                    let subject = record.header(EventHeaderName.subject)
                else { continue }
                counts[InteractionID(subject), default: 0] += 1
            }
        }
        return counts
    }

    /// What handlers have started has begun once, and nothing else has; each response that starts something also
    /// notifies (R77).
    func followUps() -> [String] {
        var started: Set<InteractionID> = []
        var unsent: Set<InteractionID> = []
        var starting = 0
        for event in self.history.responses {
            let ids = (event.data["started"]?.array ?? []).compactMap { $0["interaction"]?.string }
                .map { InteractionID($0) }
            switch event.knownType {
            case .intentResponded:
                if !ids.isEmpty { starting += 1 }
                started.formUnion(ids)
            case .statusUpdated: unsent.formUnion(ids)
            default: break
            }
        }
        let requested = self.requestedFollowUps
        var violations: [String] = []
        for id in started.union(requested.keys).sorted() {
            let expected = started.contains(id) && !unsent.contains(id) ? 1 : 0
            let found = requested[id] ?? 0
            if found != expected { violations.append("followUps: \(id) was requested \(found) times, not \(expected)") }
        }
        let notifications = self.history.responses.count { $0.knownType == .userNotified }
        if notifications != starting {
            violations.append("followUps: \(starting) responses have notified \(notifications) times")
        }
        return violations
    }
}
