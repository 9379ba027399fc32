public import IntentKit

/// UnicornTalk's data besides calls: the users' lines, and how each contact can be called.
///
/// The functions run inside a store transaction, like those of ``AddressBook``.
public enum UnicornTalk {
    public static let name = "UnicornTalk"

    /// Sets the capabilities of a user's line.
    ///
    /// - Throws: What the store throws.
    public static func set(_ line: CallLine, of userID: String, in store: any StoreTransaction) throws {
        let names = CallLine.columns.map(\.name).joined(separator: ", ")
        let marks = CallLine.columns.map { _ in "?" }.joined(separator: ", ")
        try store.execute(
            "INSERT OR REPLACE INTO call_lines (user_id, voicemail_number, \(names)) VALUES (?, ?, \(marks))",
            [.string(userID), line.voicemailNumber?.json ?? .null]
                + CallLine.columns.map { .bool(line[keyPath: $0.property]) }
        )
    }

    /// The capabilities of a user's line; an unreported line has no problem.
    ///
    /// - Throws: What the store throws.
    public static func line(of userID: String, in store: any StoreTransaction) throws -> CallLine {
        var line = CallLine()
        let rows = try store.query("SELECT * FROM call_lines WHERE user_id = ?", [.string(userID)])
        guard let row = rows.first else { return line }
        for column in CallLine.columns { line[keyPath: column.property] = row[column.name] != 0 }
        line.voicemailNumber = row["voicemail_number"]?.string
        return line
    }

    /// Sets how a contact of a user can be called; by default with audio and video.
    ///
    /// - Throws: What the store throws.
    public static func setCallee(
        _ contact: String,
        of userID: String,
        isSupported: Bool = true,
        takesVideo: Bool = true,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            "INSERT OR REPLACE INTO callees (user_id, contact, is_supported, takes_video) VALUES (?, ?, ?, ?)",
            [.string(userID), .string(contact), .bool(isSupported), .bool(takesVideo)]
        )
    }

    /// The contacts whose row has "no" in a column.
    static func callees(
        _ contacts: [String],
        of userID: String,
        without column: String,
        in store: any StoreTransaction
    ) throws -> [String] {
        let rows = try store.query(
            "SELECT contact FROM callees WHERE user_id = ? AND NOT \(column)",
            [.string(userID)]
        )
        let refusing = Set(rows.compactMap { $0["contact"]?.string })
        return contacts.filter(refusing.contains)
    }
}
