package import IntentEvents
package import IntentKit
package import IntentRuntime

/// What was removed from a database file on purpose: rows of before a time (R39).
///
/// It is left in the file, signed if a key is configured, so that what intentd has removed can be told from what
/// somebody else has.
package struct CutMark: Hashable, Sendable {
    /// Which file.
    package enum Database: String, Sendable {
        /// The records.
        case records
        /// The store with the effects' ledger.
        case store
    }

    /// Which file.
    package let database: Database
    /// When it was removed.
    package let at: Timestamp
    /// Before which time.
    package let before: Timestamp
    /// For records, the first offset that was left of each partition, by `topic/partition`; only those that were cut.
    package let offsets: [String: Int64]
    /// The mark as it is written.
    package let json: JSONValue

    /// Who has signed it.
    package var signatureCheck: SignedJSON.Check { SignedJSON.check(self.json, as: .cut) }

    /// Makes a mark.
    package init(
        _ database: Database,
        of deployment: String,
        at: Timestamp,
        before: Timestamp,
        offsets: [String: Int64] = [:],
        signedBy key: SigningKey?
    ) {
        self.database = database
        self.at = at
        self.before = before
        self.offsets = offsets
        let json = JSONValue.members([
            "database": .string(database.rawValue), "deployment": .string(deployment), "at": .string(at.description),
            "before": .string(before.description),
            "offsets": offsets.isEmpty ? nil : .object(offsets.mapValues(JSONValue.integer)),
        ])
        self.json = key.map { SignedJSON.sign(json, as: .cut, with: $0) } ?? json
    }

    /// Reads a mark; nil when it is none.
    package init?(json: JSONValue) {
        guard let database = json["database"]?.string.flatMap(Database.init(rawValue:)),
            let at = json["at"]?.string.flatMap(Timestamp.init),
            let before = json["before"]?.string.flatMap(Timestamp.init)
        else { return nil }
        self.database = database
        self.at = at
        self.before = before
        self.offsets = (json["offsets"]?.object ?? [:]).compactMapValues(\.integer)
        self.json = json
    }
}
