package struct InteractionPage: Hashable, Sendable {
    /// The interactions, the newest first.
    package var interactions: [RecordedInteraction]
    /// Where the next page begins; nil when there is none.
    package var next: InteractionSearch.Mark?
    /// Whether the page ends because of the limit of examined rows, not because it is full.
    package var isCutShort: Bool
}
