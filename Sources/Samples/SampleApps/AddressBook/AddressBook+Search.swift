public import IntentKit

extension AddressBook {
    /// The contact of that identifier, if there is one.
    ///
    /// - Throws: What the store throws.
    public func contact(_ identifier: String, in store: any StoreTransaction) throws -> Contact? {
        try self.contacts("identifier = ?", [.string(identifier)], in: store).first
    }

    /// The contacts that a name may mean: those of that name or address; if there are none, those whose names
    /// contain all of its words.
    ///
    /// Case, accents and spacing make no difference (R25).
    /// - Returns: At most ``maximumMatches``, by name.
    /// - Throws: What the store throws.
    public func contacts(named name: String, in store: any StoreTransaction) throws -> [Contact] {
        let key = name.matchingKey
        guard !key.isEmpty else { return [] }
        let exact = try self.contacts(
            """
            (name_key = ?2 OR identifier IN (SELECT contact FROM contact_handles WHERE user_id = ?1 AND value_key = ?2))
            """,
            [.string(key)],
            in: store
        )
        guard exact.isEmpty, let longest = name.matchingWords.max(by: { $0.utf8.count < $1.utf8.count }) else {
            return exact
        }
        // The query finds one word anywhere in the name; whole words are compared here.
        let words = name.matchingWords
        return try self.contacts("instr(name_key, ?2) > 0", [.string(longest)], limit: 1_000, in: store) {
            $0.matchingWords.isSuperset(of: words)
        }
    }

    /// The groups that a name may mean: those of that name; if there are none, those whose names contain it anywhere
    /// (behaviour 31).
    ///
    /// - Returns: At most ``maximumMatches``, by name.
    /// - Throws: What the store throws.
    public func groups(named name: String, in store: any StoreTransaction) throws -> [ContactGroup] {
        let key = name.matchingKey
        guard !key.isEmpty else { return [] }
        let exact = try self.groups("name_key = ?", [.string(key)], in: store)
        return exact.isEmpty ? try self.groups("instr(name_key, ?) > 0", [.string(key)], in: store) : exact
    }

    /// The group of that identifier, if there is one.
    ///
    /// - Throws: What the store throws.
    public func group(_ identifier: String, in store: any StoreTransaction) throws -> ContactGroup? {
        try self.groups("identifier = ?", [.string(identifier)], in: store).first
    }

    private func contacts(
        _ condition: String,
        _ arguments: [JSONValue],
        limit: Int = Self.maximumMatches,
        in store: any StoreTransaction,
        where hasName: (String) -> Bool = { _ in true }
    ) throws -> [Contact] {
        let rows = try store.query(
            "SELECT * FROM contacts WHERE user_id = ?1 AND \(condition) ORDER BY display_name, identifier LIMIT \(limit)",
            [.string(self.userID)] + arguments
        )
        let matches = rows.filter { hasName($0["display_name"]?.string ?? "") }.prefix(Self.maximumMatches)
        return try matches.map { row in
            let identifier = row["identifier"]?.string ?? ""
            return Contact(
                row["display_name"]?.string ?? "",
                identifier: identifier,
                handles: try self.handles(of: identifier, in: store),
                hasAccount: row["has_account"] != 0,
                isReachable: row["is_reachable"] != 0,
                takesMessages: row["takes_messages"] != 0
            )
        }
    }

    private func handles(of contact: String, in store: any StoreTransaction) throws -> [INPersonHandle] {
        let rows = try store.query(
            "SELECT value, type, label FROM contact_handles WHERE user_id = ? AND contact = ? ORDER BY position",
            [.string(self.userID), .string(contact)]
        )
        return rows.compactMap { INPersonHandle(json: .object($0)) }
    }

    private func groups(
        _ condition: String,
        _ arguments: [JSONValue],
        in store: any StoreTransaction
    ) throws -> [ContactGroup] {
        let rows = try store.query(
            """
            SELECT identifier, name FROM contact_groups WHERE user_id = ? AND \(condition)
            ORDER BY name, identifier LIMIT \(Self.maximumMatches)
            """,
            [.string(self.userID)] + arguments
        )
        return try rows.map { row in
            let identifier = row["identifier"]?.string ?? ""
            let members = try store.query(
                "SELECT contact FROM group_members WHERE user_id = ? AND contact_group = ? ORDER BY position",
                [.string(self.userID), .string(identifier)]
            )
            return ContactGroup(
                row["name"]?.string ?? "",
                identifier: identifier,
                members: members.compactMap { $0["contact"]?.string }
            )
        }
    }
}
