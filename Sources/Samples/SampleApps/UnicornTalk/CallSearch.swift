import IntentKit
import SiriKitIntents

/// A search among a user's calls; a call must satisfy all its parts.
struct CallSearch: Sendable {
    private var conditions: [(sql: String, arguments: [JSONValue])]
    private var wantsLatestOnly = false

    /// Creates a search for all calls of a user.
    init(of userID: String) { self.conditions = [("user_id = ?", [.string(userID)])] }

    /// Requires the call of that identifier.
    mutating func want(identifier: String) { self.conditions.append(("identifier = ?", [.string(identifier)])) }

    /// Requires calls with a contact, or with a number that no contact has.
    mutating func want(participant: String) {
        let key = JSONValue.string(participant)
        self.conditions.append(("(contact = ? OR (contact IS NULL AND handle = ?))", [key, key]))
    }

    /// Requires calls of these types; `latest` requires only the latest of them.
    mutating func want(_ types: INCallRecordTypeOptions) {
        self.wantsLatestOnly = types.contains(.latest)
        self.want(types.subtracting(.latest).json, in: "call_type")
    }

    /// Requires calls of these kinds.
    mutating func want(_ capabilities: INCallCapabilityOptions) { self.want(capabilities.json, in: "capability") }

    /// Requires calls of that kind; of any kind when it is not given.
    mutating func want(_ capability: INCallCapability) {
        if capability != .unknown { self.want([capability.json], in: "capability") }
    }

    /// Requires calls that the user has seen, or has not seen.
    mutating func want(unseen: Bool) { self.conditions.append(("is_unseen = ?", [.bool(unseen)])) }

    /// Requires calls of that time.
    mutating func want(_ range: INDateComponentsRange) { self.conditions.append(range.condition(on: "started_at")) }

    private mutating func want(_ values: JSONValue, in column: String) {
        guard let values = values.array, !values.isEmpty else { return }
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        self.conditions.append(("\(column) IN (\(marks))", values))
    }

    /// The calls, the latest first, up to a limit.
    func calls(limit: Int, in store: any StoreTransaction) throws -> [INCallRecord] {
        let sql = self.conditions.map(\.sql).joined(separator: " AND ")
        let rows = try store.query(
            "SELECT * FROM calls WHERE \(sql) ORDER BY started_at DESC, identifier LIMIT ?",
            self.conditions.flatMap(\.arguments) + [.integer(Int64(self.wantsLatestOnly ? 1 : limit))]
        )
        return rows.map(INCallRecord.init(row:))
    }
}

extension INCallRecord {
    init(row: JSONObject) {
        let name = row["display_name"]?.string ?? ""
        let type = row["handle_type"]?.string.flatMap(INPersonHandle.Kind.init(rawValue:)) ?? .unknown
        let person = INPerson(
            spokenPhrase: name,
            displayName: name,
            identifier: row["contact"]?.string,
            handle: row["handle"]?.string.map { INPersonHandle(value: $0, type: type) }
        )
        self.init(
            identifier: row["identifier"]?.string ?? "",
            dateCreated: row["started_at"]?.string.flatMap { OffsetDateTime($0) },
            participants: [person],
            callRecordType: row["call_type"].flatMap(INCallRecordType.init(json:)),
            callCapability: row["capability"].flatMap(INCallCapability.init(json:)),
            callDuration: row["duration"]?.number,
            unseen: row["is_unseen"] != 0
        )
    }

    /// The call as the user may see it: without access to contacts by name only, no numbers (R25).
    func visible(to context: TurnContext) -> INCallRecord {
        guard !context.user.hasContactsAccess else { return self }
        var call = self
        call.participants = self.participants?
            .map { INPerson(spokenPhrase: $0.spokenPhrase, identifier: $0.identifier) }
        return call
    }
}
