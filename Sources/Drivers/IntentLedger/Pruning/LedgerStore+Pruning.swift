package import IntentEvents
package import IntentKit
package import IntentRuntime
internal import SQLiteStore

extension LedgerStore {
    /// How many interactions one transaction examines.
    private static var chunk: Int { 500 }

    /// The tables in the order in which they are pruned: an interaction's end goes after all that it did.
    private static var tables: [String] { ["effects", "undone_effects", "closed_ledgers"] }

    /// Removes effects, done and undone ones, and the ends of interactions, that are before a time and that can no longer
    /// be asked for.
    ///
    /// Effects of an interaction whose ledger was never closed stay. Offers to undo that were over by then go, too. The
    /// freed space is reused.
    /// - Parameters:
    ///   - before: The time.
    ///   - reach: The interactions that may still ask.
    ///   - deployment: The deployment's id, for the mark.
    ///   - now: The time, for the mark, and for ends whose time is not known: they count from now on.
    ///   - key: Signs the mark; nil leaves it unsigned.
    /// - Returns: The number of removed effects and ends.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func prune(
        before: Timestamp,
        reach: LedgerReach,
        deployment: String,
        at now: Timestamp,
        signedBy key: SigningKey?
    ) async throws -> (effects: Int, ends: Int) {
        _ = try await self.write { store in
            let sql = "UPDATE closed_ledgers SET at = $1 WHERE at IS NULL"
            return .integer(Int64(try store.execute(sql, [.integer(now.milliseconds)])))
        }
        _ = try await self.write { store in
            let sql = "DELETE FROM undoable WHERE until < $1"
            return .integer(Int64(try store.execute(sql, [.integer(min(before, now).milliseconds)])))
        }
        let mark = CutMark(.store, of: deployment, at: now, before: before, signedBy: key)
        return try await self.count(before: before, reach: reach) { table, removable, isFirst, store in
            if !removable.isEmpty, isFirst { try CutTable.add(mark, store) }
            return try removable.reduce(0) { sum, request in
                sum + (try store.execute("DELETE FROM \(table) WHERE request = $1", [.string(request)]))
            }
        }
    }

    /// The number of effects and ends that ``prune(before:reach:deployment:at:signedBy:)`` would remove.
    ///
    /// Ends whose effects would have to be removed first, or whose time is not known, do not count.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func prunable(before: Timestamp, reach: LedgerReach) async throws -> (effects: Int, ends: Int) {
        try await self.count(before: before, reach: reach) { table, removable, _, store in
            try removable.reduce(0) { sum, request in
                let sql = "SELECT count(*) FROM \(table) WHERE request = $1"
                return sum + (try store.query(sql, [.string(request)], as: Int.self).first ?? 0)
            }
        }
    }

    /// Adds up what `body` returns for the requests of each table that can be removed, in several transactions.
    ///
    /// `isFirst` says whether it has returned 0 so far.
    private func count(
        before: Timestamp,
        reach: LedgerReach,
        _ body:
            @escaping @Sendable (
                _ table: String, _ removable: [String], _ isFirst: Bool, any StoreTransaction
            ) throws -> Int
    ) async throws -> (effects: Int, ends: Int) {
        var counts = (effects: 0, ends: 0)
        for table in Self.tables {
            var last: String? = ""
            while let start = last {
                let isFirst = counts == (0, 0)
                let result = try await self.write { store in
                    let requests = try Self.candidates(table, after: start, before: before, store)
                    let count = try body(table, requests.filter { !reach.reaches($0) }, isFirst, store)
                    // Where to continue; null at the end.
                    let next = requests.count < Self.chunk ? nil : requests.last
                    return ["count": .integer(Int64(count)), "last": next.map(JSONValue.string) ?? .null]
                }
                let count = Int(result["count"]?.integer ?? 0)
                if table == "closed_ledgers" { counts.ends += count } else { counts.effects += count }
                last = result["last"]?.string
            }
        }
        return counts
    }

    /// Requests whose rows are all before a time, in order: of effects, those whose interaction has ended, in
    /// `closed_ledgers` those without effects.
    private static func candidates(
        _ table: String,
        after start: String,
        before: Timestamp,
        _ store: any StoreTransaction
    ) throws -> [String] {
        let time = table == "effects" ? "at" : "undone_at"
        let sql =
            table != "closed_ledgers"
            ? """
            SELECT request FROM \(table) WHERE request > $1 GROUP BY request
            HAVING max(\(time)) < $2 AND EXISTS (SELECT 1 FROM closed_ledgers c WHERE c.request = \(table).request)
            ORDER BY request LIMIT $3
            """
            : """
            SELECT request FROM closed_ledgers WHERE request > $1 AND at < $2
            AND NOT EXISTS (SELECT 1 FROM effects e WHERE e.request = closed_ledgers.request)
            AND NOT EXISTS (SELECT 1 FROM undone_effects u WHERE u.request = closed_ledgers.request)
            ORDER BY request LIMIT $3
            """
        return try store.query(
            sql,
            [.string(start), .integer(before.milliseconds), .integer(Int64(Self.chunk))],
            as: String.self
        )
    }
}
