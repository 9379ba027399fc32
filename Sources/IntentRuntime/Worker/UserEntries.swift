internal import IntentEvents

/// One user's state entries.
///
/// Of most sorts a user has a few, and they are looked for at every turn: they stand in one sorted list. Of remembered
/// interactions there may be thousands, asked for by their ids alone.
struct UserEntries {
    private var few = SortedMap<StateName, [UInt8]>()
    private var remembered: [StateName: [UInt8]] = [:]

    private static func isRemembered(_ name: StateName) -> Bool { name.hasPrefix(StateName.knownInteractions) }

    /// Whether there are none.
    var isEmpty: Bool { self.few.isEmpty && self.remembered.isEmpty }

    /// An entry's text.
    subscript(_ name: StateName) -> [UInt8]? {
        if Self.isRemembered(name) { return self.remembered.isEmpty ? nil : self.remembered[name] }
        return self.few.isEmpty ? nil : self.few[name]
    }

    /// Writes an entry; nil removes it.
    ///
    /// - Returns: What it was before.
    mutating func set(_ name: StateName, _ value: [UInt8]?) -> [UInt8]? {
        if Self.isRemembered(name) {
            guard let value else { return self.remembered.removeValue(forKey: name) }
            return self.remembered.updateValue(value, forKey: name)
        }
        let old = self.few[name]
        if value != nil || old != nil { self.few[name] = value }
        return old
    }

    /// The names of one family, sorted.
    func names(of family: StateFamily) -> [StateName] {
        if family == StateName.knownInteractions { return self.remembered.keys.sorted() }
        return self.few.isEmpty ? [] : self.few.keys.filter { $0.hasPrefix(family) }
    }

    /// Whether there are any of one family.
    func hasAny(of family: StateFamily) -> Bool {
        if family == StateName.knownInteractions { return !self.remembered.isEmpty }
        return self.few.keys.contains { $0.hasPrefix(family) }
    }

    /// All of them, in no order.
    var all: [(name: StateName, value: [UInt8])] {
        self.few.map { (name: $0.key, value: $0.value) } + self.remembered.map { (name: $0.key, value: $0.value) }
    }
}
