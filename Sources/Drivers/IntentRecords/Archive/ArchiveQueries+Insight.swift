internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

extension ArchiveQueries {
    /// What interactions have in common that are counted together.
    fileprivate struct Group {
        var intent: String?
        var status: String?
        var code: String?
        var reason: String?
        /// Whether it reached `handle`.
        var isConfirmed: Bool
        var isAsked: Bool
        var hasEnded: Bool

        /// The bits of the column that says what it reached.
        enum Bit {
            static let confirmed: Int64 = 1
            static let asked: Int64 = 2
            static let ended: Int64 = 4
        }
    }

    func insight(since: Timestamp?, until: Timestamp?, intent: String?) throws -> InteractionInsight {
        let condition = QueryCondition(all: [
            QueryCondition("requested_at >= ?", since), QueryCondition("requested_at < ?", until),
            QueryCondition("intent = ?", intent),
        ])
        var funnels: [String?: InteractionInsight.Funnel] = [:]
        for (group, count) in try self.groups(condition) {
            funnels[group.intent, default: .init(intent: group.intent)].add(group, count)
        }
        var found = 0
        for (intent, abandonment) in try self.abandonments(condition) {
            found += abandonment.count
            funnels[intent]?.abandonments.append(abandonment)
        }
        for (interaction, times) in try self.timed(condition) {
            funnels[interaction.intent]?.add(times)
        }
        var insight = InteractionInsight()
        insight.isAbandonmentCutShort = found >= InteractionInsight.maximumAbandoned
        insight.funnels = funnels.values.map { $0.sorted }
            .sorted { ($1.requested, $0.intent ?? "") < ($0.requested, $1.intent ?? "") }
        return insight
    }

    /// Counts in this program: SQLite would sort all rows to group them.
    ///
    /// A million rows have a few dozen groups, so texts are made once for each group.
    private func groups(_ condition: QueryCondition) throws -> [(group: Group, count: Int)] {
        // An interaction that waits for its handler has said nothing in that phase yet. CASE looks for its event only
        // then; OR and AND would evaluate both sides for each row.
        let statement = try self.statement(
            """
            SELECT intent, status, code, end_reason,
                CASE WHEN phase = 'handle' THEN \(Group.Bit.confirmed) WHEN ended_at IS NOT NULL THEN 0 ELSE EXISTS (
                    SELECT 1 FROM events_kept e WHERE e.request = interactions.partition || ':' || interactions."offset"
                        AND e.topic <> 'journal' AND +e.topic = 'confirmed'
                ) * \(Group.Bit.confirmed) END
                + (prompts > 0) * \(Group.Bit.asked) + (ended_at IS NOT NULL) * \(Group.Bit.ended)
            FROM interactions WHERE \(condition.sql)
            """,
            condition.values
        )
        defer { statement.reset() }
        var groups: [(group: Group, count: Int)] = []
        var keys = KeyNumbers()
        var key: [UInt8] = []
        while try statement.step() {
            key.removeAll(keepingCapacity: true)
            for column in 0..<4 as Range<Int32> { statement.append(column, to: &key) }
            let bits = statement.integer(4) ?? 0
            key.append(UInt8(truncatingIfNeeded: bits))
            let number = keys.number(of: key)
            guard number == groups.count else {
                groups[number].count += 1
                continue
            }
            let group = Group(
                intent: statement.text(0),
                status: statement.text(1),
                code: statement.text(2),
                reason: statement.text(3),
                isConfirmed: bits & Group.Bit.confirmed != 0,
                isAsked: bits & Group.Bit.asked != 0,
                hasEnded: bits & Group.Bit.ended != 0
            )
            groups.append((group, 1))
        }
        return groups
    }

    /// The newest interactions that have ended, with their times.
    private func timed(_ condition: QueryCondition) throws -> [(RecordedInteraction, InteractionTimes)] {
        let interactions = try self.rows(
            """
            SELECT \(Self.interactionColumns) FROM interactions WHERE \(condition.sql) AND ended_at IS NOT NULL
            ORDER BY requested_at DESC LIMIT \(InteractionInsight.maximumTimed)
            """,
            condition.values,
            Self.interaction
        )
        return zip(interactions, try self.times(of: interactions, now: .distantFuture))
            .compactMap { interaction, times in times.map { (interaction, $0) } }
    }

    /// The last questions of the newest abandoned interactions.
    private func abandonments(
        _ condition: QueryCondition
    ) throws -> [(intent: String?, abandonment: InteractionInsight.Funnel.Abandonment)] {
        let reasons = InteractionInsight.abandoning.map { "'\($0)'" }.joined(separator: ", ")
        return try self.rows(
            """
            WITH abandoned AS (
                SELECT partition, "offset", intent FROM interactions
                WHERE \(condition.sql) AND end_reason IN (\(reasons)) AND prompts > 0 AND phase <> 'handle'
                ORDER BY requested_at DESC LIMIT \(InteractionInsight.maximumAbandoned)
            ), asked AS (
                SELECT a.intent, (
                    SELECT e.value FROM events e
                    WHERE e.request = a.partition || ':' || a."offset" AND e.topic <> 'journal'
                        AND +e.topic = 'responses' AND e.type = 'prompt.issued'
                    ORDER BY e."offset" DESC LIMIT 1
                ) AS prompt FROM abandoned a
            )
            SELECT intent, json_extract(prompt, '$.kind') AS kind, json_extract(prompt, '$.parameter') AS parameter,
                count(*) FROM asked WHERE prompt IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2, 3
            """,
            condition.values
        ) { row in
            (
                row.text(0),
                InteractionInsight.Funnel.Abandonment(
                    kind: row.text(1) ?? "",
                    parameter: row.text(2),
                    count: Int(row.integer(3) ?? 0)
                )
            )
        }
    }
}

/// Numbers the distinct keys of rows, from 0, in the order in which they come.
///
/// `Hasher` would take longer for a key than SQLite for its row. So the key that came last with a cheap hash is compared
/// first, and the dictionary is asked only for others: clients who choose texts with equal hashes gain nothing.
struct KeyNumbers {
    private var keys: [[UInt8]] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// The number of the last key, by hash; -1 before the first one.
    private var last = Array(repeating: -1, count: 256)

    mutating func number(of key: [UInt8]) -> Int {
        let slot = Int(Self.hash(key) % UInt64(self.last.count))
        let last = self.last[slot]
        if last >= 0, self.keys[last] == key { return last }
        let number = self.numbers[key] ?? self.keys.count
        if number == self.keys.count {
            self.keys.append(key)
            self.numbers[key] = number
        }
        self.last[slot] = number
        return number
    }

    /// A hash that anybody can compute, with eight bytes at a time.
    static func hash(_ key: [UInt8]) -> UInt64 {
        key.withUnsafeBytes { bytes in
            var hash: UInt64 = 0
            func mix(_ word: UInt64) {
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
            }
            let words = bytes.count / 8 * 8
            for offset in stride(from: 0, to: words, by: 8) {
                mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            for byte in bytes[words...] { mix(UInt64(byte)) }
            return hash
        }
    }
}

extension InteractionInsight.Funnel {
    /// Adds interactions that have all of that in common.
    fileprivate mutating func add(_ group: ArchiveQueries.Group, _ count: Int) {
        self.requested += count
        if group.isAsked { self.asked += count }
        if group.isConfirmed { self.confirmed += count }
        guard group.hasEnded else {
            self.open += count
            return
        }
        let reason = group.reason ?? ""
        if group.status != "failure" {
            self.done += count
        } else if group.isAsked, !group.isConfirmed, InteractionInsight.abandoning.contains(reason) {
            self.abandoned += count
        } else if let index = self.failures.firstIndex(where: { $0.reason == reason && $0.code == group.code }) {
            self.failures[index].count += count
        } else {
            self.failures.append(Failure(reason: reason, code: group.code, count: count))
        }
    }

    /// Adds the times of one of its interactions.
    fileprivate mutating func add(_ times: InteractionTimes) {
        self.timed += 1
        for span in times.spans { self.times[span.state, default: 0] += span.milliseconds }
    }

    fileprivate var sorted: Self {
        var sorted = self
        sorted.failures.sort { ($1.count, $0.reason, $0.code ?? "") < ($0.count, $1.reason, $1.code ?? "") }
        return sorted
    }
}
