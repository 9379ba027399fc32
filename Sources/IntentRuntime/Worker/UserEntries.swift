internal import IntentEvents

/// One user's state entries.
///
/// Of most sorts a user has a few, and they are looked for at every turn: they stand in one sorted list. Of remembered
/// interactions, and of events that wait behind a parked turn, there may be thousands, asked for by their names alone.
struct UserEntries {
    private var few = SortedMap<StateName, StateEntry>()
    private var remembered: [StateName: StateEntry] = [:]
    private var waiting: [StateName: StateEntry] = [:]

    private static func isRemembered(_ name: StateName) -> Bool { name.hasPrefix(StateName.knownInteractions) }

    private static func isWaiting(_ name: StateName) -> Bool { name.hasPrefix(StateName.queue) }

    /// Whether there are none.
    var isEmpty: Bool { self.few.isEmpty && self.remembered.isEmpty && self.waiting.isEmpty }

    /// An entry.
    subscript(_ name: StateName) -> StateEntry? {
        if Self.isRemembered(name) { return self.remembered.isEmpty ? nil : self.remembered[name] }
        if Self.isWaiting(name) { return self.waiting.isEmpty ? nil : self.waiting[name] }
        return self.few.isEmpty ? nil : self.few[name]
    }

    /// Writes an entry; nil removes it.
    ///
    /// - Returns: What it was before.
    mutating func set(_ name: StateName, _ entry: StateEntry?) -> StateEntry? {
        if Self.isRemembered(name) {
            guard let entry else { return self.remembered.removeValue(forKey: name) }
            return self.remembered.updateValue(entry, forKey: name)
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
        if family == StateName.knownInteractions { return self.remembered.keys.sorted() }
        if family == StateName.queue { return self.waiting.keys.sorted() }
        return self.few.isEmpty ? [] : self.few.keys.filter { $0.hasPrefix(family) }
    }

    /// Whether there are any of one family.
    func hasAny(of family: StateFamily) -> Bool {
        if family == StateName.knownInteractions { return !self.remembered.isEmpty }
        if family == StateName.queue { return !self.waiting.isEmpty }
        return self.few.keys.contains { $0.hasPrefix(family) }
    }

    /// All of them, in no order.
    var all: [(name: StateName, entry: StateEntry)] {
        self.few.map { (name: $0.key, entry: $0.value) } + self.remembered.map { (name: $0.key, entry: $0.value) }
            + self.waiting.map { (name: $0.key, entry: $0.value) }
    }
}
