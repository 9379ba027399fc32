package import IntentEvents

/// An interaction with everything that is recorded of it, for `intentd show`.
package struct InteractionStory: Hashable, Sendable {
    package var interaction: RecordedInteraction
    /// Its events in order of time: the request, the events of the user and the app that one of its turns processed,
    /// and everything that the stages wrote about it, except the journal.
    package var events: [RecordedEvent]
    /// Its turns in order of time.
    package var turns: [RecordedTurn]
    /// What it follows from, and what follows from it.
    package var chain = InteractionChain()
    /// The dead letters with which it ended, the oldest first.
    package var letters: [LetterStory] = []
    /// What operators did with it, the oldest first.
    package var acts: [RecordedAct] = []
    /// When events were written that a stage has passed on to the one whose turn processed them, by their positions there.
    package var writtenAt: [RecordPosition: Timestamp] = [:]
    /// When an event was written that ends what it waits for, whose turn has not begun.
    package var answeredAt: Timestamp?
}

/// A recorded turn: a row of `turns` (R39), with its whole record.
package struct RecordedTurn: Hashable, Sendable {
    /// The position of its record on `journal`.
    package var position: RecordPosition
    /// When its record was written, with the commit of its batch.
    package var timestamp: Timestamp
    /// The record: what the turn depended on and what it did.
    package var record: TurnRecord
}

extension [RecordedTurn] {
    /// The turns in the order of the journal.
    var asJournaled: Self {
        self.sorted { ($0.position.partition, $0.position.offset) < ($1.position.partition, $1.position.offset) }
    }
}
