package import IntentEvents
internal import IntentKit

/// Receives the notes of a running turn (R74).
package protocol NoteReceiver: AnyObject, Sendable {
    /// Takes a note over.
    ///
    /// - Parameter note: The note.
    /// - Returns: Whether it is on its way to the lane; not before the turn is parked, since no record of the turn could
    ///   come before it.
    func receive(_ note: TurnNote) -> Bool

    /// Takes a note over that its handler waits for: it goes to the lane when the turn is parked.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - commit: Ends when the note is committed, or cannot be.
    func receive(_ note: TurnNote, _ commit: NoteCommit)
}

extension Turn {
    /// Makes the record of a note of this turn, which is still running.
    ///
    /// No foreign code runs: no handler, and no presenter. So it needs no admission (R56), and a turn that runs alone
    /// does not wait for a commit that waits for it.
    /// - Parameter note: The note.
    /// - Returns: The result; nil when there is no interaction that it is about.
    func noted(_ note: TurnNote) -> TurnResult? {
        self.isPartOfTurn = true
        self.record.note = note
        switch note {
        case .report:
            let parked = ParkedTurn(
                event: self.input.stored,
                interactionID: self.input.interactionID(self.environment),
                startedAt: self.record.at,
                timeoutAt: self.record.at
            )
            guard let interaction = self.interaction(of: parked) else { return nil }
            self.act(on: interaction) { self.reportInProgress(&$0, code: "inProgress", note: note) }
        case .step:
            self.needFormat2()
            self.record.outcome = .parked
            self.record.interactionID = self.input.interactionID(self.environment)
            self.record.request = self.event.forwardedRequest
        }
        return self.result()
    }
}

extension TurnNote {
    /// What the user sees of it; nil for nothing.
    var progress: JSONValue? {
        switch self {
        case .report(let fraction, let text, let steps):
            .members([
                "fraction": fraction.map(JSONValue.number),
                "steps": steps.isEmpty ? nil : .array(steps.map(JSONValue.string)),
                "text": text.map(JSONValue.string),
            ])
        case .step: nil
        }
    }
}
