public import IntentKit

/// The hairdressers and groups that the app knows, and the messages sent to them.
///
/// The functions run inside a store transaction, like those of ``AddressBook``.
public enum Hairdressers {
    /// Adds a hairdresser.
    ///
    /// - Throws: What the store throws.
    public static func add(_ name: String, in store: any StoreTransaction) throws {
        try store.execute("INSERT OR IGNORE INTO hairdressers (name) VALUES (?)", [.string(name)])
    }

    /// Adds a group.
    ///
    /// - Throws: What the store throws.
    public static func addGroup(_ name: String, in store: any StoreTransaction) throws {
        try store.execute("INSERT OR IGNORE INTO hairdresser_groups (name) VALUES (?)", [.string(name)])
    }

    /// The book's groups, and four hairdressers of whom two are called Jeff.
    ///
    /// - Throws: What the store throws.
    public static func addDemoData(in store: any StoreTransaction) throws {
        for name in ["Jeff Brown", "Jeff Green", "Mia White", "Anna Black"] { try Self.add(name, in: store) }
        for name in ["neighbors", "coworkers", "developers"] { try Self.addGroup(name, in: store) }
    }

    /// The hairdressers of that name; if there are none, those whose names contain all of its words.
    static func named(_ name: String, in store: any StoreTransaction) throws -> [String] {
        let all = try store.query("SELECT name FROM hairdressers ORDER BY name", []).compactMap { $0["name"]?.string }
        let exact = all.filter { $0.matchingKey == name.matchingKey }
        let words = name.matchingWords
        return exact.isEmpty && !words.isEmpty ? all.filter { $0.matchingWords.isSuperset(of: words) } : exact
    }

    /// The groups whose names contain the text (behaviour 31).
    static func groups(containing text: String, in store: any StoreTransaction) throws -> [String] {
        let all = try store.query("SELECT name FROM hairdresser_groups ORDER BY name", [])
        let key = text.matchingKey
        return all.compactMap { $0["name"]?.string }.filter { !key.isEmpty && $0.matchingKey.contains(key) }
    }
}
