public import IntentKit
public import SiriKitIntents

/// The past and current calls, as the app shows them (behaviour 59).
public enum CallLog {
    /// Adds a call of a user with one participant, or replaces the one of that identifier.
    ///
    /// The participant is a contact of the user's, by identifier, or a person known only by number.
    /// - Throws: What the store throws.
    public static func add(_ call: INCallRecord, of userID: String, in store: any StoreTransaction) throws {
        let person = call.participants?.first
        try store.execute(
            """
            INSERT OR REPLACE INTO calls (identifier, user_id, contact, display_name, handle, handle_type, call_type,
                capability, started_at, duration, is_unseen)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(call.identifier), .string(userID), person?.identifier?.json ?? .null,
                .string(person?.displayName ?? person?.searchName ?? ""), person?.handle?.value?.json ?? .null,
                .string((person?.handle?.type ?? .unknown).rawValue), (call.callRecordType ?? .unknown).json,
                (call.callCapability ?? .audioCall).json,
                call.dateCreated.map { OffsetDateTime($0.date).json } ?? .null,
                call.callDuration?.json ?? .null, .bool(call.unseen ?? false),
            ]
        )
    }

    /// Ends a ringing or active call: from now on it is one of that type.
    ///
    /// - Throws: What the store throws.
    public static func end(
        _ identifier: String,
        of userID: String,
        as type: INCallRecordType,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            "UPDATE calls SET call_type = ? WHERE user_id = ? AND identifier = ?",
            [type.json, .string(userID), .string(identifier)]
        )
    }

    /// When the user was last on the line with each contact.
    static func habits(of userID: String) -> AddressBook.Habits {
        AddressBook.habits(of: userID, table: "calls", contact: "contact", time: "started_at")
    }
}
