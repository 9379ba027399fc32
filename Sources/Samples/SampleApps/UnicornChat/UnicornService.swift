public import Foundation
public import IntentKit

/// UnicornChat's own data besides its users' contacts: sessions, services, forbidden words.
///
/// The functions run inside a store transaction, like those of ``AddressBook``.
public enum UnicornService {
    /// The name of the service that carries messages unless another is asked for.
    public static let name = "UnicornChat"

    /// Sets the end of a user's session; without a session on record a user counts as signed in.
    ///
    /// - Throws: What the store throws.
    public static func setSession(of userID: String, expiresAt: Date, in store: any StoreTransaction) throws {
        try store.execute(
            "INSERT OR REPLACE INTO sessions (user_id, expires_at, is_signed_out) VALUES (?, ?, FALSE)",
            [.string(userID), OffsetDateTime(expiresAt).json]
        )
    }

    /// Ends a user's session because the user has signed out: a new one can only begin inside the app.
    ///
    /// - Throws: What the store throws.
    public static func signOut(_ userID: String, at time: Date, in store: any StoreTransaction) throws {
        try store.execute(
            "INSERT OR REPLACE INTO sessions (user_id, expires_at, is_signed_out) VALUES (?, ?, TRUE)",
            [.string(userID), OffsetDateTime(time).json]
        )
    }

    /// Whether a user has signed out.
    ///
    /// - Throws: What the store throws.
    public static func isSignedOut(userID: String, in store: any StoreTransaction) throws -> Bool {
        let rows = try store.query("SELECT is_signed_out FROM sessions WHERE user_id = ?", [.string(userID)])
        return rows.first.map { $0["is_signed_out"] != 0 } ?? false
    }

    /// Whether a user's session is valid at that time.
    ///
    /// - Throws: What the store throws.
    public static func hasSession(userID: String, at time: Date, in store: any StoreTransaction) throws -> Bool {
        let rows = try store.query("SELECT expires_at FROM sessions WHERE user_id = ?", [.string(userID)])
        guard let text = rows.first?["expires_at"]?.string else { return true }
        guard let expiry = OffsetDateTime(text) else { return false }
        return expiry.date > time
    }

    /// Sets whether a service can be used.
    ///
    /// - Throws: What the store throws.
    public static func setAvailable(
        _ isAvailable: Bool,
        service: String = Self.name,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            "INSERT OR REPLACE INTO services (name_key, name, is_available) VALUES (?, ?, ?)",
            [.string(service.matchingKey), .string(service), .bool(isAvailable)]
        )
    }

    /// Whether a service can be used: UnicornChat unless it is down, any other only if it is known and up.
    ///
    /// - Throws: What the store throws.
    public static func isAvailable(service: String, in store: any StoreTransaction) throws -> Bool {
        let key = service.matchingKey
        let rows = try store.query("SELECT is_available FROM services WHERE name_key = ?", [.string(key)])
        guard let row = rows.first else { return key == Self.name.matchingKey }
        return row["is_available"] != 0
    }

    /// Forbids a word in messages.
    ///
    /// - Throws: What the store throws.
    public static func forbid(_ word: String, in store: any StoreTransaction) throws {
        try store.execute(
            "INSERT OR REPLACE INTO forbidden_words (word_key, word) VALUES (?, ?)",
            [.string(word.matchingKey), .string(word)]
        )
    }

    /// The forbidden words that a text contains as whole words, sorted.
    ///
    /// - Throws: What the store throws.
    public static func forbiddenWords(in text: String, _ store: any StoreTransaction) throws -> [String] {
        let words = text.matchingWords
        let rows = try store.query("SELECT word_key, word FROM forbidden_words ORDER BY word", [])
        return rows.compactMap { row in
            guard let key = row["word_key"]?.string, words.contains(key) else { return nil }
            return row["word"]?.string
        }
    }
}
