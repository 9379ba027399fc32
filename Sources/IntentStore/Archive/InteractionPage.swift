/// A page of recorded interactions.
package struct InteractionPage: Hashable, Sendable {
    /// The interactions, the newest first.
    package var interactions: [RecordedInteraction]
    /// Where the next page begins; nil when there is none.
    package var next: InteractionSearch.Mark?
    /// Whether the page ends because it has looked at as many rows as it may, not because it is full.
    package var isCutShort: Bool
}
