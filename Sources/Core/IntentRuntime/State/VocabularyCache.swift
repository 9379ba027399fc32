package import IntentEvents
package import IntentKit
import Synchronization

/// Users' vocabularies, prepared for lookup, so that no turn of a request prepares one (behaviour 82).
///
/// The turn that receives a new vocabulary prepares it. After a restart, or when it has not been used for a while, the
/// first turn that uses it prepares it. An entry is used only while its text equals the state's.
package final class VocabularyCache: Sendable {
    private struct Key: Hashable {
        var user: UserID
        var name: StateName
    }

    private struct Entry {
        var text: [UInt8]
        var vocabulary: UserVocabulary
    }

    /// Two generations: entries in use stay young; the others are dropped with the old generation.
    private struct Generations {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var youngBytes = 0
    }

    private let state = Mutex(Generations())
    private let maximumBytes: Int

    /// Makes a cache.
    ///
    /// - Parameter maximumBytes: The limit for the vocabularies' texts in bytes; beyond it unused entries are dropped.
    package init(maximumBytes: Int = 4 * 1024 * 1024) { self.maximumBytes = maximumBytes }

    /// The vocabulary in a text; prepared now if it is not cached.
    package func vocabulary(_ name: StateName, user: UserID, text: [UInt8]) -> UserVocabulary? {
        let key = Key(user: user, name: name)
        // If the state returns one array until the entry changes, comparing it with itself reads no byte.
        let known = self.state.withLock { state -> UserVocabulary? in
            if let entry = state.young[key] { return entry.text == text ? entry.vocabulary : nil }
            guard let entry = state.old[key], entry.text == text else { return nil }
            self.keep(entry, key, &state)
            return entry.vocabulary
        }
        if let known { return known }
        guard let json = try? JSONValue(parsing: text), let vocabulary = UserVocabulary(json: json) else { return nil }
        self.state.withLock { self.keep(Entry(text: text, vocabulary: vocabulary), key, &$0) }
        return vocabulary
    }

    package var count: Int { self.state.withLock { Set($0.young.keys).union($0.old.keys).count } }

    private func keep(_ entry: Entry, _ key: Key, _ state: inout Generations) {
        state.youngBytes += entry.text.count - (state.young[key]?.text.count ?? 0)
        state.young[key] = entry
        guard state.youngBytes > self.maximumBytes / 2 else { return }
        state.old = state.young
        state.young = [:]
        state.youngBytes = 0
    }
}
