package import IntentEvents
package import IntentKit

/// The changes of a user's state, by name; nil removes an entry.
package typealias StateWrites = SortedMap<StateName, StateEntry?>

/// The names of a user's state entries: `<stage>/<user>/<name>` are the keys on the topic `state`.
extension Identity where Kind == StateKind {
    /// The unfinished turn.
    package static var parked: Self { "parked" }
    /// An open interaction.
    package static func interaction(_ request: RequestID) -> Self { "i/\(request.text)" }
    /// The prefix of the names of open interactions.
    package static var interactions: StateFamily { "i/" }
    /// An interaction that has ended, but has status updates to come.
    package static func followed(_ request: RequestID) -> Self { "f/\(request.text)" }
    /// The prefix of the names of followed interactions.
    package static var followedInteractions: StateFamily { "f/" }
    /// A follow-up that waits for its time.
    package static func followUp(_ id: InteractionID) -> Self { "l/\(id.text)" }
    /// The prefix of the names of follow-ups.
    package static var followUps: StateFamily { "l/" }
    /// What is remembered of an interaction by its id.
    package static func known(_ interactionID: InteractionID) -> Self { "s/\(interactionID.text)" }
    /// The prefix of the names of known interactions.
    package static var knownInteractions: StateFamily { "s/" }
    /// An event that waits behind the parked turn.
    package static func queued(_ sequence: Int64) -> Self {
        let digits = String(sequence)
        return Self("q/" + String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits)
    }
    /// The prefix of the names of queued events.
    package static var queue: StateFamily { "q/" }
    package static func vocabulary(_ type: VocabularyStringType) -> Self { "v/\(type.rawValue)" }
    /// The prefix of the names of vocabularies.
    package static var vocabularies: StateFamily { "v/" }

    /// The journal's name for the list of a family's names.
    static func list(of family: StateFamily) -> Self { "\(family.text)*" }

    /// The name up to its first slash, including it; the whole name if it has none.
    package var family: StateFamily {
        // The search uses bytes, not characters: an accent after the slash would combine with it into one character.
        let slash = UInt8(ascii: "/")
        guard let end = self.utf8.firstIndex(of: slash) else { return StateFamily(self.text) }
        return StateFamily(String(self.text[..<self.utf8.index(after: end)]))
    }
}
