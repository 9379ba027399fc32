internal import IntentEvents
internal import IntentKit

/// What handlers start and send, until it is due (R77): resolve alone writes requests.
extension ResolveTurn {
    /// The largest number of a user's follow-ups that wait.
    private static let maximumPending = 100

    /// Receives a follow-up: sends it, or keeps it until its time.
    func receiveFollowUp() {
        var followUp: ScheduledFollowUp?
        self.turn.event.fields.withView { followUp = ScheduledFollowUp($0) }
        guard let followUp else {
            self.turn.output(.deadLetter(error: "malformed", detail: "The event's follow-up cannot be read."))
            self.turn.record.outcome = .deadLettered
            return
        }
        self.turn.needFormat2()
        self.turn.record.outcome = .noted
        guard let at = followUp.at, at > self.turn.now else {
            self.turn.send(followUp)
            return
        }
        guard self.turn.stateNames(prefix: StateName.followUps).count < Self.maximumPending else {
            self.turn.report(.refused, of: followUp)
            return
        }
        self.turn.setState(.followUp(followUp.id), followUp)
    }
}
