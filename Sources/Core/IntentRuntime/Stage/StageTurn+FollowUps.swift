internal import IntentEvents
internal import IntentKit

/// Follow-ups that wait for their time, in resolve's state (R77).
extension StageTurn {
    /// Sends a follow-up whose time has come, unless it was cancelled.
    func sendFollowUp(dueAt deadline: Timestamp) {
        guard let name = self.turn.event.followUpName,
            let followUp = self.turn.state(name, ScheduledFollowUp.self), followUp.at == deadline
        else { return }
        self.turn.needFormat2()
        self.turn.send(followUp)
        self.turn.removeState(name)
        self.turn.record.outcome = .noted
    }

    /// Cancels a follow-up that waits.
    ///
    /// - Returns: Whether there is one.
    func cancelFollowUp(_ id: InteractionID) -> Bool {
        guard self.turn.stage == .resolve, self.turn.environment.keepsFollowUps,
            let followUp = self.turn.state(.followUp(id), ScheduledFollowUp.self)
        else { return false }
        self.turn.needFormat2()
        self.turn.removeState(.followUp(id))
        self.turn.report(.cancelled, of: followUp)
        self.turn.record.outcome = .noted
        return true
    }
}

extension Event {
    /// The name of the follow-up's entry that a timer is about; nil for every other event.
    var followUpName: StateName? {
        guard let name = self["entry"]?.string.map(StateName.init(_:)), name.hasPrefix(StateName.followUps) else {
            return nil
        }
        return name
    }
}
