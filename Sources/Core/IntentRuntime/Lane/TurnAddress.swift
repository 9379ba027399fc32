internal import IntentEvents

/// Where the result and the notes of a parked turn go: to the lane that commits them.
struct TurnAddress: Sendable {
    let mailbox: TurnMailbox
    let partition: Int
    let user: UserID
    /// Identifies the running turn.
    let token: Int

    /// Delivers the result of a turn that has ended; nil when there is nothing to commit.
    func deliver(_ result: TurnResult?) {
        self.mailbox.deliver(.init(partition: self.partition, user: self.user, token: self.token, result: result))
    }

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
    private let address: TurnAddress

    init(_ address: TurnAddress) { self.address = address }

    func receive(_ note: TurnNote) -> Bool {
        self.address.send(note)
        return true
    }

    func receive(_ note: TurnNote, _ commit: NoteCommit) { self.address.send(note, commit) }
}
