package import IntentEvents
package import IntentKit

/// What is written of a user's state, by name; nil removes an entry.
package typealias StateWrites = SortedMap<StateName, StateEntry?>

/// The names of a user's state entries: `<stage>/<user>/<name>` are the keys on the topic `state`.
extension Identity where Kind == StateKind {
    /// The turn that is not finished yet.
    package static var parked: Self { "parked" }
    /// An open interaction.
    package static func interaction(_ request: RequestID) -> Self { "i/\(request.text)" }
    /// What starts the names of open interactions.
    package static var interactions: StateFamily { "i/" }
    /// An interaction that has ended and of which there is more to tell.
    package static func followed(_ request: RequestID) -> Self { "f/\(request.text)" }
    /// What starts the names of interactions of which there is more to tell.
    package static var followedInteractions: StateFamily { "f/" }
    /// What is remembered of an interaction by its id.
    package static func known(_ interactionID: InteractionID) -> Self { "s/\(interactionID.text)" }
    /// What starts the names of remembered interactions.
    package static var knownInteractions: StateFamily { "s/" }
    /// An event that waits behind the parked turn.
    package static func queued(_ sequence: Int64) -> Self {
        let digits = String(sequence)
        return Self("q/" + String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits)
    }
    /// What starts the names of waiting events.
    package static var queue: StateFamily { "q/" }
    /// The user's vocabulary of a type.
    package static func vocabulary(_ type: VocabularyStringType) -> Self { "v/\(type.rawValue)" }
    /// What starts the names of vocabularies.
    package static var vocabularies: StateFamily { "v/" }

    /// Under which the journal has the list of a family's names.
    static func list(of family: StateFamily) -> Self { "\(family.text)*" }

    /// What the name begins with, its first slash included; all of a name that has none.
    package var family: StateFamily {
        // Bytes, not characters: what follows may begin with an accent, which makes one character with the slash.
        let slash = UInt8(ascii: "/")
        guard let end = self.utf8.firstIndex(of: slash) else { return StateFamily(self.text) }
        return StateFamily(String(self.text[..<self.utf8.index(after: end)]))
    }
}
