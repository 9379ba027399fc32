internal import GRDB
package import IntentEvents
internal import IntentKit
package import IntentRuntime

extension SQLiteLedger {
    /// How many interactions one transaction examines.
    private static let chunk = 500

    /// Removes effects, and the ends of interactions, that are before a time and that nobody can ask for any more.
    ///
    /// Effects of an interaction whose ledger was never closed stay. The freed space is reused.
    /// - Parameters:
    ///   - before: The time.
    ///   - reach: The interactions that may still ask.
    ///   - deployment: The deployment's id, for the mark.
    ///   - now: The time, for the mark, and for ends whose time is not known: they count from now on.
    ///   - key: Signs the mark; nil leaves it unsigned.
    /// - Returns: The number of removed effects and ends.
    /// - Throws: ``StoreError``; ``StoreBusyError``.
    package func prune(
        before: Timestamp,
        reach: LedgerReach,
        deployment: String,
        at now: Timestamp,
        signedBy key: SigningKey?
    ) async throws -> (effects: Int, ends: Int) {
        _ = try await self.write { database in
            try database.execute(
                sql: "UPDATE closed_ledgers SET at = ? WHERE at IS NULL",
                arguments: [now.milliseconds]
            )
            return .null
        }
        var counts = (effects: 0, ends: 0)
        let mark = CutMark(.store, of: deployment, at: now, before: before, signedBy: key)
        var isMarked = false
        for table in ["effects", "closed_ledgers"] {
            var last: String? = ""
            while let start = last {
                let isMarkedBefore = isMarked
                let result = try await self.write { database in
                    let requests = try Self.candidates(table, after: start, before: before, database)
                    let removable = requests.filter { !reach.reaches($0) }
                    if !removable.isEmpty, !isMarkedBefore { try CutTable.add(mark, database) }
                    var removed = 0
                    for request in removable {
                        try database.execute(sql: "DELETE FROM \(table) WHERE request = ?", arguments: [request])
                        removed += database.changesCount
                    }
                    return ["removed": .integer(Int64(removed)), "last": Self.last(of: requests)]
                }
                let removed = Int(result["removed"]?.integer ?? 0)
                isMarked = isMarked || removed > 0
                if table == "effects" { counts.effects += removed } else { counts.ends += removed }
                last = result["last"]?.string
            }
        }
        return counts
    }

    /// The number of effects and ends that ``prune(before:reach:deployment:at:signedBy:)`` would remove.
    ///
    /// Ends whose effects would have to be removed first, or whose time is not known, do not count.
    /// - Throws: ``StoreError``; ``StoreBusyError``.
    package func prunable(before: Timestamp, reach: LedgerReach) async throws -> (effects: Int, ends: Int) {
        var counts = (effects: 0, ends: 0)
        for table in ["effects", "closed_ledgers"] {
            var last: String? = ""
            while let start = last {
                let result = try await self.write { database in
                    let requests = try Self.candidates(table, after: start, before: before, database)
                    let count = try requests.filter { !reach.reaches($0) }
                        .reduce(0) { sum, request in
                            let sql = "SELECT count(*) FROM \(table) WHERE request = ?"
                            return sum + (try Int.fetchOne(database, sql: sql, arguments: [request]) ?? 0)
                        }
                    return ["count": .integer(Int64(count)), "last": Self.last(of: requests)]
                }
                let count = Int(result["count"]?.integer ?? 0)
                if table == "effects" { counts.effects += count } else { counts.ends += count }
                last = result["last"]?.string
            }
        }
        return counts
    }

    /// Where to continue after these; null at the end.
    private static func last(of requests: [String]) -> JSONValue {
        requests.count < Self.chunk ? .null : requests.last.map(JSONValue.string) ?? .null
    }

    /// Requests whose rows are all before a time, in order: in `effects` those whose interaction has ended, in
    /// `closed_ledgers` those without effects.
    private static func candidates(
        _ table: String,
        after start: String,
        before: Timestamp,
        _ database: Database
    ) throws -> [String] {
        let sql =
            table == "effects"
            ? """
            SELECT request FROM effects WHERE request > :start GROUP BY request
            HAVING max(at) < :before AND EXISTS (SELECT 1 FROM closed_ledgers c WHERE c.request = effects.request)
            ORDER BY request LIMIT :limit
            """
            : """
            SELECT request FROM closed_ledgers WHERE request > :start AND at < :before
            AND NOT EXISTS (SELECT 1 FROM effects e WHERE e.request = closed_ledgers.request)
            ORDER BY request LIMIT :limit
            """
        return try String.fetchAll(
            database,
            sql: sql,
            arguments: ["start": start, "before": before.milliseconds, "limit": Self.chunk]
        )
    }
}
