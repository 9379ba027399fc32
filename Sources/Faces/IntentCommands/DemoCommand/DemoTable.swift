import IntentKit

/// A table that the handlers have filled, to be shown after the stories.
package struct DemoTable: Sendable {
    package var title: String
    /// The headings of the query's columns, which are named `c1`, `c2` and so on.
    package var columns: [String]
    package var sql: String

    package init(title: String, columns: [String], sql: String) {
        self.title = title
        self.columns = columns
        self.sql = sql
    }

    /// The rows, aligned under their headings.
    func lines(_ ledger: any EffectLedger) async throws -> [String] {
        let sql = self.sql
        let rows = try await ledger.read { .array(try $0.query(sql, []).map(JSONValue.object)) }
        var table = Table(self.columns)
        for row in rows.array ?? [] {
            table.add(self.columns.indices.map { row["c\($0 + 1)"]?.string ?? "" })
        }
        return table.lines
    }
}
