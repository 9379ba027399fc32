internal import IntentEvents
internal import IntentKit

/// A condition in SQL with its arguments.
struct QueryCondition {
    var sql: String
    var values: [JSONValue] = []
}

extension QueryCondition {
    /// A condition with one argument; nil without the argument.
    init?(_ sql: String, _ text: String?) {
        guard let text else { return nil }
        self.init(sql: sql, values: [.string(text)])
    }

    init?(_ sql: String, _ time: Timestamp?) {
        guard let time else { return nil }
        self.init(sql: sql, values: [.integer(time.milliseconds)])
    }

    /// All of these conditions; without any, every row.
    init(all parts: [QueryCondition?]) {
        let parts = parts.compactMap(\.self)
        self.init(
            sql: parts.isEmpty ? "1" : parts.map(\.sql).joined(separator: " AND "),
            values: parts.flatMap(\.values)
        )
    }
}
