package import IntentKit

/// What a text can mean.
package struct SpokenReading: Sendable, Hashable {
    /// The readings in the order that the article states, the likeliest first; empty if there is none.
    package var candidates: [SpokenCandidate]
    /// The language in which the text was read, as a code such as `de`.
    package var language: String

    /// Whether the user should choose.
    package var isAmbiguous: Bool { self.candidates.count > 1 }
}

/// One reading of a text.
package struct SpokenCandidate: Sendable, Hashable {
    /// The value in its form on the wire (R11).
    package var value: JSONValue
    /// The value in the user's language, for showing what was understood.
    package var words: String
    /// What clocks do at that time.
    package var note: Note?

    /// What clocks do at a time.
    package enum Note: Sendable, Hashable {
        /// Clocks skip the time that was said; the value is later by as much as they skip.
        case skippedTime
        /// Clocks show the time twice; there are two candidates.
        case repeatedTime
    }
}
