/// An interaction with everything that is recorded of it, for `intentd show`.
package struct InteractionStory: Hashable, Sendable {
    package var interaction: RecordedInteraction
    /// Its events in order of time: the request, the events of the user and the app that one of its turns processed,
    /// and everything that the stages wrote about it, except the journal.
    package var events: [RecordedEvent]
    /// Its turns in order of time.
    package var turns: [RecordedTurn]
}
