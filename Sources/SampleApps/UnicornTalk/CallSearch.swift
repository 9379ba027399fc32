import IntentKit
import SiriKitIntents

/// What to look for among a user's calls; every part that is there has to hold.
struct CallSearch: Sendable {
    private var conditions: [(sql: String, arguments: [JSONValue])]
    private var wantsLatestOnly = false

    /// Looks for all calls of a user.
    init(of userID: String) { self.conditions = [("user_id = ?", [.string(userID)])] }

    /// Wants the call of that identifier.
    mutating func want(identifier: String) { self.conditions.append(("identifier = ?", [.string(identifier)])) }

    /// Wants calls with a contact, or with a number where nobody is known by it.
    mutating func want(participant: String) {
        let key = JSONValue.string(participant)
        self.conditions.append(("(contact = ? OR (contact IS NULL AND handle = ?))", [key, key]))
    }

    /// Wants calls of which that became; `latest` wants the latest of them alone.
    mutating func want(_ types: INCallRecordTypeOptions) {
        self.wantsLatestOnly = types.contains(.latest)
        self.want(types.subtracting(.latest).json, in: "call_type")
    }

    /// Wants calls of that kind.
    mutating func want(_ capabilities: INCallCapabilityOptions) { self.want(capabilities.json, in: "capability") }

    /// Wants calls of that kind; any where it is not said.
    mutating func want(_ capability: INCallCapability) {
        if capability != .unknown { self.want([capability.json], in: "capability") }
    }

    /// Wants calls that the user has seen, or has not.
    mutating func want(unseen: Bool) { self.conditions.append(("is_unseen = ?", [.bool(unseen)])) }

    /// Wants calls of that time.
    mutating func want(_ range: INDateComponentsRange) { self.conditions.append(range.condition(on: "started_at")) }

    private mutating func want(_ values: JSONValue, in column: String) {
        guard let values = values.array, !values.isEmpty else { return }
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        self.conditions.append(("\(column) IN (\(marks))", values))
    }

    /// The calls, the latest first, at most so many.
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
    /// A call as it is stored.
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
