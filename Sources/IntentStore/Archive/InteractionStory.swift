/// An interaction with all that is recorded of it, as `intentd show` tells it.
package struct InteractionStory: Hashable, Sendable {
    /// The interaction.
    package var interaction: RecordedInteraction
    /// Its events in the order of their time: the request, what the user and the app sent that a turn of it took up,
    /// and everything that the stages wrote about it, the journal left out.
    package var events: [RecordedEvent]
    /// Its turns in the order of their time.
    package var turns: [RecordedTurn]
}
