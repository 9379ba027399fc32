public import IntentKit

/// A user's own contacts and groups, which all apps of a deployment share.
///
/// Every user has their own; another user's contacts are never found or changed. The functions run inside a
/// store transaction: reads in `TurnContext.read`, changes in the app's own transactions.
public struct AddressBook: Hashable, Sendable {
    /// The largest number of contacts or groups that a search finds: as many as can be offered to choose from.
    public static let maximumMatches = 50

    /// The owner of the address book.
    public let userID: String

    public init(of userID: String) { self.userID = userID }

    /// Adds a contact, or replaces the one of that identifier.
    ///
    /// - Throws: What the store throws.
    public func add(_ contact: Contact, in store: any StoreTransaction) throws {
        try self.removeContact(contact.identifier, in: store)
        try store.execute(
            """
            INSERT INTO contacts (user_id, identifier, display_name, name_key, has_account, is_reachable, takes_messages)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(self.userID), .string(contact.identifier), .string(contact.displayName),
                .string(contact.displayName.matchingKey), .bool(contact.hasAccount), .bool(contact.isReachable),
                .bool(contact.takesMessages),
            ]
        )
        for (position, handle) in contact.handles.enumerated() {
            try store.execute(
                """
                INSERT INTO contact_handles (user_id, contact, position, value, value_key, type, label)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .string(self.userID), .string(contact.identifier), .integer(Int64(position)),
                    handle.value?.json ?? .null, handle.value?.matchingKey.json ?? .null,
                    .string(handle.type.rawValue), handle.label?.json ?? .null,
                ]
            )
        }
    }

    /// Removes a contact; its places in groups stay, in case it is added again.
    ///
    /// - Throws: What the store throws.
    public func removeContact(_ identifier: String, in store: any StoreTransaction) throws {
        let key: [JSONValue] = [.string(self.userID), .string(identifier)]
        try store.execute("DELETE FROM contact_handles WHERE user_id = ? AND contact = ?", key)
        try store.execute("DELETE FROM contacts WHERE user_id = ? AND identifier = ?", key)
    }

    /// Adds a group, or replaces the one of that identifier.
    ///
    /// - Throws: What the store throws.
    public func add(_ group: ContactGroup, in store: any StoreTransaction) throws {
        try self.removeGroup(group.identifier, in: store)
        try store.execute(
            "INSERT INTO contact_groups (user_id, identifier, name, name_key) VALUES (?, ?, ?, ?)",
            [
                .string(self.userID), .string(group.identifier), .string(group.name), .string(group.name.matchingKey),
            ]
        )
        for (position, member) in group.members.enumerated() {
            try store.execute(
                "INSERT OR IGNORE INTO group_members (user_id, contact_group, position, contact) VALUES (?, ?, ?, ?)",
                [.string(self.userID), .string(group.identifier), .integer(Int64(position)), .string(member)]
            )
        }
    }

    /// Removes a group, not its members.
    ///
    /// - Throws: What the store throws.
    public func removeGroup(_ identifier: String, in store: any StoreTransaction) throws {
        let key: [JSONValue] = [.string(self.userID), .string(identifier)]
        try store.execute("DELETE FROM group_members WHERE user_id = ? AND contact_group = ?", key)
        try store.execute("DELETE FROM contact_groups WHERE user_id = ? AND identifier = ?", key)
    }
}
