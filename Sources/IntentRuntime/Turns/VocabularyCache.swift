package import IntentEvents
package import IntentKit
import Synchronization

/// Users' vocabularies ready to be looked up, so that no turn of a request prepares one (behaviour 82).
///
/// The turn that takes a new vocabulary prepares it; after a restart, or when it has not been asked for in a while, the
/// first turn that asks does. An entry is used only while its text is what the state holds.
package final class VocabularyCache: Sendable {
    private struct Key: Hashable {
        var user: UserID
        var name: StateName
    }

    private struct Entry {
        var text: [UInt8]
        var vocabulary: UserVocabulary
    }

    /// Two generations: what is asked for stays young, what is not falls out with the old.
    private struct Generations {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var youngBytes = 0
    }

    private let state = Mutex(Generations())
    private let maximumBytes: Int

    /// Makes a cache.
    ///
    /// - Parameter maximumBytes: The bytes of vocabularies' texts after which what was not asked for is let go.
    package init(maximumBytes: Int = 4 * 1024 * 1024) {
        self.maximumBytes = maximumBytes
    }

    /// The vocabulary that a text holds, prepared now if it is not known.
    package func vocabulary(_ name: StateName, user: UserID, text: [UInt8]) -> UserVocabulary? {
        let key = Key(user: user, name: name)
        // Where the state hands out one array until the entry changes, comparing it with itself looks at no byte.
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

    /// How many vocabularies are ready.
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
