package import IntentEvents
package import IntentKit
package import IntentRuntime

/// A mark about rows that were removed from a database file on purpose: those before a time (R39).
///
/// It stays in the file, signed if a key is configured, so that intentd's removals can be recognized.
package struct CutMark: Hashable, Sendable {
    /// The kind of file.
    package enum Database: String, Sendable {
        case records
        /// The store with the effect ledger.
        case store
    }

    package let database: Database
    /// The time of the removal.
    package let at: Timestamp
    /// The time before which rows were removed.
    package let before: Timestamp
    /// For records, the first remaining offset of each cut partition, by `topic/partition`.
    package let offsets: [String: Int64]
    /// The mark in its written form.
    package let json: JSONValue

    package var signatureCheck: SignedJSON.Check { SignedJSON.check(self.json, as: .cut) }

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

    /// Reads a mark; nil when the JSON is none.
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

    /// The first remaining offset of each partition according to marks, by `topic/partition`.
    package static func offsets(_ marks: [CutMark]) -> [String: Int64] {
        marks.reduce(into: [:]) { offsets, mark in offsets.merge(mark.offsets) { max($0, $1) } }
    }
}
