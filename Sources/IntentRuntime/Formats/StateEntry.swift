internal import IntentEvents
internal import IntentKit

/// What a user's state entries hold, by their names: whether this version can read one.
enum StateEntry {
    /// Whether an entry can be read; of names that this version does not know nothing is said.
    ///
    /// What is remembered of interactions that have ended is not looked at: there are millions, and what cannot be read of
    /// them is forgotten when its time comes.
    static func isReadable(_ name: StateName, _ text: [UInt8]) -> Bool {
        if name == StateName.parked { return ParkedTurn(text: text) != nil }
        if name.hasPrefix(StateName.interactions) { return Interaction(text: text) != nil }
        if name.hasPrefix(StateName.followedInteractions) { return FollowedInteraction(text: text) != nil }
        if name.hasPrefix(StateName.queue) { return ParkedTurn(text: text) != nil || StoredRecord(text: text) != nil }
        if name.hasPrefix(StateName.vocabularies) {
            return (try? JSONValue(parsing: text)).flatMap(UserVocabulary.init(json:)) != nil
        }
        return true
    }

    /// Whether entries of that name are looked at when they are read back.
    static func isChecked(_ name: StateName) -> Bool {
        !name.hasPrefix(StateName.knownInteractions)
    }

    /// An entry's value; of bytes that are no JSON their digest, which no reader takes for anything else.
    ///
    /// So the journal tells an entry that could not be read from one that was not there, and a replay does too.
    static func value(_ bytes: [UInt8]) -> JSONValue {
        (try? JSONValue(parsing: bytes)) ?? ["unreadable": .string(RecordDigest.of(bytes))]
    }
}
