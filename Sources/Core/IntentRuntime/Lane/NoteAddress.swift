internal import IntentEvents

/// Where the notes of a running turn go: to the lane that commits them.
struct NoteAddress: Sendable {
    let mailbox: TurnMailbox
    let partition: Int
    let user: UserID
    /// Identifies the running turn.
    let token: Int

    func send(_ note: TurnNote, _ commit: NoteCommit? = nil) {
        self.mailbox.deliver(
            .init(
                partition: self.partition,
                user: self.user,
                token: self.token,
                result: nil,
                note: note,
                commit: commit
            )
        )
    }
}

/// Receives the notes of a parked turn that was started again.
final class IdleTurnNotes: NoteReceiver {
    private let address: NoteAddress

    init(_ address: NoteAddress) { self.address = address }

    func receive(_ note: TurnNote) -> Bool {
        self.address.send(note)
        return true
    }

    func receive(_ note: TurnNote, _ commit: NoteCommit) { self.address.send(note, commit) }
}
