package import IntentEvents
package import IntentKit
package import IntentRecords
internal import IntentRuntime

/// A query for interactions as people write it: filters and columns by name, for terminal and console alike (R90).
package struct InteractionQuery: Hashable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        /// A text in ids, user, intent, code, end reason or parameters.
        case text
        case user
        case intent
        case status
        /// `open` or `ended`.
        case state
        /// A code, a status or an end reason.
        case code
        /// The stage of the last answer.
        case stage
        case since
        case until
        /// The names of the columns, with commas.
        case columns
    }

    /// The largest number of bytes of a value.
    package static let maximumValueBytes = 1_024
    /// The statuses of responses, and that of a request whose first turn has not happened (R80).
    static let statuses = INIntentHandlingStatus.allCases.map(\.rawValue) + [InteractionState.queued.rawValue]

    private var texts: [Field: String] = [:]
    /// The values that parameters must have, by their names.
    package private(set) var parameters: [String: String] = [:]

    /// Selects everything.
    package init() {}

    /// A field; an empty text is none.
    package subscript(_ field: Field) -> String? {
        get { self.texts[field] }
        set { self.texts[field] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Requires a value of a searchable parameter.
    package mutating func require(_ value: String, of parameter: String) {
        self.parameters[parameter] = value.isEmpty ? nil : value
    }

    package var isEmpty: Bool { self.texts.isEmpty && self.parameters.isEmpty }

    /// The query with the fields that another one sets.
    package func overridden(by other: Self) -> Self {
        var query = self
        query.texts.merge(other.texts) { $1 }
        query.parameters.merge(other.parameters) { $1 }
        return query
    }

    /// The search that is meant.
    ///
    /// - Parameters:
    ///   - known: The names that are checked.
    ///   - now: The time that durations count back from.
    /// - Returns: The search.
    /// - Throws: ``OperationError``, `usage`, that says what would be right.
    package func search(_ known: KnownNames, now: Timestamp) throws(OperationError) -> InteractionSearch {
        var search = InteractionSearch()
        search.text = self[.text]
        search.userID = self[.user].map { UserID($0) }
        search.intent = self[.intent]
        search.code = self[.code]
        if let text = self[.status] { search.status = try Self.known(text, "status", Self.statuses) }
        if let text = self[.stage] { search.stage = try Self.known(text, "stage", Stage.allCases.map(\.rawValue)) }
        if let text = self[.state] {
            let states = InteractionSearch.State.allCases
            search.state = .init(rawValue: try Self.known(text, "state", states.map(\.rawValue)))
        }
        if let text = self[.since] { search.since = try TimeText.required(text, now: now) }
        if let text = self[.until] { search.until = try TimeText.required(text, now: now) }
        for (name, value) in self.parameters.sorted(by: { $0.key < $1.key }) {
            let intents = try known.intents(searchableBy: name)
            search.parameters.append(.init(name: name, value: value, intents: intents.sorted()))
        }
        return search
    }

    /// The chosen columns; nil where none are chosen.
    /// - Throws: ``OperationError``, `usage`, for an unknown one.
    package func columns(_ known: KnownNames) throws(OperationError) -> [InteractionColumn]? {
        guard let text = self[.columns] else { return nil }
        return try InteractionColumn.read(text, known)
    }

    /// A value of a closed set.
    /// - Throws: ``OperationError``, `usage`, for another one.
    static func known(_ text: String, _ what: String, _ values: [String]) throws(OperationError) -> String {
        guard values.contains(text) else {
            throw OperationError(
                .usage,
                "unknown \(what) '\(text)'\(NearMiss.hint(text, among: values)); use \(values.joined(separator: ", "))"
            )
        }
        return text
    }

    /// The form in files.
    package var json: JSONValue {
        var members = JSONObject()
        for (field, text) in self.texts { members[field.rawValue] = .string(text) }
        if !self.parameters.isEmpty { members["parameters"] = .object(self.parameters.mapValues(JSONValue.string)) }
        return .object(members)
    }

    /// Reads the form in files; nil for another one.
    package init?(json: JSONValue) {
        guard let members = json.object else { return nil }
        for (name, value) in members where name != "parameters" {
            guard let field = Field(rawValue: name), let text = value.string else { return nil }
            self[field] = text
        }
        for (name, value) in members["parameters"]?.object ?? [:] {
            guard let text = value.string else { return nil }
            self.require(text, of: name)
        }
    }

    /// The query in words of the command line.
    package var options: String {
        let fields = Field.allCases.compactMap { field in self[field].map { "--\(field.rawValue) \($0)" } }
        let parameters = self.parameters.sorted { $0.key < $1.key }.map { "--where \($0.key)=\($0.value)" }
        return (fields + parameters).joined(separator: " ")
    }
}

extension RecordArchive {
    /// Where the open ones of some interactions are, and since when, by their requests (R80).
    /// - Throws: `StoreError`; `StoreBusyError`.
    package func progress(
        of interactions: [RecordedInteraction],
        now: Timestamp
    ) async throws -> [RequestID: InteractionTimes] {
        let open = interactions.filter { $0.endedAt == nil }
        let times = try await self.times(of: open, now: now)
        return Dictionary(zip(open, times).compactMap { one, times in times.map { (one.request, $0) } }) { $1 }
    }

    /// The newest interactions that a search selects, however far back they are.
    /// - Throws: `StoreError`; `StoreBusyError`.
    package func interactions(_ search: InteractionSearch, limit: Int) async throws -> [RecordedInteraction] {
        var search = search
        var found: [RecordedInteraction] = []
        while found.count < limit {
            search.limit = min(1_000, limit - found.count)
            let page = try await self.page(search)
            found += page.interactions
            guard let next = page.next else { break }
            search.after = next
        }
        return found
    }
}
