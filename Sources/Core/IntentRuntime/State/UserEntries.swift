internal import IntentEvents

/// One user's state entries.
///
/// A user has few entries of most kinds, and every turn looks for them: these are in one sorted list. Known
/// interactions and queued events may number thousands, and are looked up by name.
struct UserEntries {
    private var few = SortedMap<StateName, StateEntry>()
    private var known: [StateName: StateEntry] = [:]
    private var waiting: [StateName: StateEntry] = [:]

    private static func isKnownInteraction(_ name: StateName) -> Bool { name.hasPrefix(StateName.knownInteractions) }

    private static func isWaiting(_ name: StateName) -> Bool { name.hasPrefix(StateName.queue) }

    var isEmpty: Bool { self.few.isEmpty && self.known.isEmpty && self.waiting.isEmpty }

    subscript(_ name: StateName) -> StateEntry? {
        if Self.isKnownInteraction(name) { return self.known.isEmpty ? nil : self.known[name] }
        if Self.isWaiting(name) { return self.waiting.isEmpty ? nil : self.waiting[name] }
        return self.few.isEmpty ? nil : self.few[name]
    }

    /// Writes an entry; nil removes it.
    ///
    /// - Returns: The previous entry.
    mutating func set(_ name: StateName, _ entry: StateEntry?) -> StateEntry? {
        if Self.isKnownInteraction(name) {
            guard let entry else { return self.known.removeValue(forKey: name) }
            return self.known.updateValue(entry, forKey: name)
        }
        if Self.isWaiting(name) {
            guard let entry else { return self.waiting.removeValue(forKey: name) }
            return self.waiting.updateValue(entry, forKey: name)
        }
        let old = self.few[name]
        if entry != nil || old != nil { self.few[name] = entry }
        return old
    }

    /// The names of one family, sorted.
    func names(of family: StateFamily) -> [StateName] {
        if family == StateName.knownInteractions { return self.known.keys.sorted() }
        if family == StateName.queue { return self.waiting.keys.sorted() }
        return self.few.isEmpty ? [] : self.few.keys.filter { $0.hasPrefix(family) }
    }

    /// Whether there are any of one family.
    func hasAny(of family: StateFamily) -> Bool {
        if family == StateName.knownInteractions { return !self.known.isEmpty }
        if family == StateName.queue { return !self.waiting.isEmpty }
        return self.few.keys.contains { $0.hasPrefix(family) }
    }

    /// All of them, in no order.
    var all: [(name: StateName, entry: StateEntry)] {
        self.few.map { (name: $0.key, entry: $0.value) } + self.known.map { (name: $0.key, entry: $0.value) }
            + self.waiting.map { (name: $0.key, entry: $0.value) }
    }
}
