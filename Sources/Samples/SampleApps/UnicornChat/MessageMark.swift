import IntentKit
import SiriKitIntents

struct MessageMark: Sendable {
    /// The reason why messages cannot be marked.
    struct Problem: Sendable, Codable {
        var identifiers: [String]
        /// Whether they do not exist; otherwise they cannot be marked like this.
        var isMissing: Bool
    }

    let userID: String
    let identifiers: [String]
    let attribute: INMessageAttribute

    /// Reads an intent; nil when it does not name the messages or the mark.
    init?(_ intent: INSetMessageAttributeIntent, userID: String) {
        guard let identifiers = intent.identifiers, !identifiers.isMissing, let attribute = intent.attribute,
            attribute != .unknown
        else { return nil }
        self.userID = userID
        self.identifiers = identifiers
        self.attribute = attribute
    }

    /// Finds what prevents it: a message that is not the user's, or one that cannot have the mark.
    ///
    /// Only a received message can be unread, and only a recording can be played.
    func problem(in store: any StoreTransaction) throws -> Problem? {
        var missing: [String] = []
        var unfit: [String] = []
        for identifier in self.identifiers {
            let rows = try store.query(
                "SELECT is_incoming, message_type FROM messages WHERE user_id = ? AND identifier = ?",
                [.string(self.userID), .string(identifier)]
            )
            guard let row = rows.first else {
                missing.append(identifier)
                continue
            }
            let fits =
                switch self.attribute {
                case .unread: row["is_incoming"] != 0
                case .played: row["message_type"] == INMessageType.audio.json
                case .read, .flagged, .unflagged: true
                case .unknown: false
                }
            if !fits { unfit.append(identifier) }
        }
        if !missing.isEmpty { return Problem(identifiers: missing, isMissing: true) }
        return unfit.isEmpty ? nil : Problem(identifiers: unfit, isMissing: false)
    }

    func set(in store: any StoreTransaction) throws {
        let assignment =
            switch self.attribute {
            case .read: "is_read = TRUE"
            case .unread: "is_read = FALSE"
            case .flagged: "is_flagged = TRUE"
            case .unflagged: "is_flagged = FALSE"
            case .played: "is_played = TRUE, is_read = TRUE"
            case .unknown: "is_read = is_read"
            }
        for identifier in self.identifiers {
            try store.execute(
                "UPDATE messages SET \(assignment) WHERE user_id = ? AND identifier = ?",
                [.string(self.userID), .string(identifier)]
            )
        }
    }
}
