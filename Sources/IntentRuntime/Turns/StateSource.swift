package import IntentKit

/// One user's state at one stage, as it was before the turn.
package protocol StateSource: Sendable {
    /// The JSON text of the entry of that name.
    func text(_ name: String) -> [UInt8]?
    /// The entry of that name, read.
    func value(_ name: String) -> JSONValue?
    /// The names of the entries that start like this, sorted.
    func names(prefix: String) -> [String]
}

extension StateSource {
    /// The entry of that name, from its text.
    package func value(_ name: String) -> JSONValue? { self.text(name).flatMap { try? JSONValue(parsing: $0) } }
}

/// The names of a user's state entries: `<stage>/<user>/<name>` are the keys on the topic `state`.
package enum StateName {
    /// The turn that is not finished yet.
    package static let parked = "parked"
    /// An open interaction.
    package static func interaction(_ request: String) -> String { "i/\(request)" }
    /// What starts the names of open interactions.
    package static let interactions = "i/"
    /// An interaction that has ended and of which there is more to tell.
    package static func followed(_ request: String) -> String { "f/\(request)" }
    /// What starts the names of interactions of which there is more to tell.
    package static let followedInteractions = "f/"
    /// What is remembered of an interaction by its id.
    package static func known(_ interactionID: String) -> String { "s/\(interactionID)" }
    /// What starts the names of remembered interactions.
    package static let knownInteractions = "s/"
    /// An event that waits behind the parked turn.
    package static func queued(_ sequence: Int64) -> String {
        let digits = String(sequence)
        return "q/" + String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
    }
    /// What starts the names of waiting events.
    package static let queue = "q/"
    /// The user's vocabulary of a type.
    package static func vocabulary(_ type: VocabularyStringType) -> String { "v/\(type.rawValue)" }
    /// What starts the names of vocabularies.
    package static let vocabularies = "v/"
}
