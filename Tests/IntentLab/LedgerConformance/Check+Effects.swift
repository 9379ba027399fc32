internal import Foundation
internal import IntentKit

extension LedgerConformance.Check {
    private typealias Suite = LedgerConformance
    private struct Refusal: Error {}

    /// Each child has a parent, at the latest when the transaction is committed.
    private static let families = StoreMigration(
        "families/1",
        sql: """
            CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT
            """,
        postgreSQL: """
            CREATE TABLE parents (id bigint PRIMARY KEY);
            CREATE TABLE children (parent bigint REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)
            """
    )

    /// Effects happen once.
    static let effects: [Self] = [
        Self(name: "an effect happens once, and its result is returned again") { suite in
            let ledger = try await suite.opened()
            for text in ["a", "b"] {
                try Suite.expect(try await ledger.perform(Suite.key(), Suite.writing(text)), "a", "its result")
            }
            try Suite.expect(try await Suite.notes(ledger), ["a"], "what was done")
        },
        Self(name: "all that an identity holds tells effects apart, by its bytes") { suite in
            let ledger = try await suite.opened()
            let keys = [
                Suite.key(), Suite.key("note", 1), Suite.key("other"), Suite.key(request: "0:2"), Suite.key("e\u{301}"),
                Suite.key("\u{e9}"), Suite.key("a\u{0}b"), Suite.key("a"), Suite.key(""),
            ]
            for _ in 0..<2 {
                for (number, key) in keys.enumerated() {
                    let result = try await ledger.perform(key, Suite.writing("\(number)"))
                    try Suite.expect(result, .string("\(number)"), "the result of \(key)")
                }
            }
            try Suite.expect(try await Suite.notes(ledger), keys.indices.map { "\($0)" }, "what was done")
        },
        Self(name: "concurrent callers of one key get one result") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            let results = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for caller in 0..<100 {
                    group.addTask { try await ledgers[caller % 2].perform(Suite.key(), Suite.writing("\(caller)")) }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try Suite.expect(results.count, 1, "the number of results")
            try Suite.expect(try await Suite.notes(ledgers[0]).map(JSONValue.string), Array(results), "what was done")
        },
        Self(name: "two ledgers on one database make all effects once, and have one id") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            try Suite.expect(ledgers[0].identifier, ledgers[1].identifier, "the id")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<200 {
                    let number = caller / 2
                    let key = Suite.key("note", 0, request: "\(number % 4):\(number)")
                    group.addTask { _ = try await ledgers[caller % 2].perform(key, Suite.writing("\(number)")) }
                }
                try await group.waitForAll()
            }
            let notes = try await Suite.notes(ledgers[0]).sorted()
            try Suite.expect(notes, (0..<100).map(String.init).sorted(), "what was done")
        },
        Self(name: "effects that read and write the same rows at once are as if one came after the other") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            // Each writes how many there are: the same number twice, were they not.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<40 {
                    group.addTask {
                        _ = try await ledgers[caller % 2]
                            .perform(Suite.key(request: "\(caller % 4):\(caller)")) { store in
                                let count = try store.query("SELECT count(*) FROM notes", as: Int.self)[0]
                                return try Suite.writing("\(count)")(store)
                            }
                    }
                }
                try await group.waitForAll()
            }
            try Suite.expect(try await Set(Suite.notes(ledgers[0])).count, 40, "the number of different counts")
        },
        Self(name: "a body that throws undoes itself and nothing else") { suite in
            let ledger = try await suite.opened()
            let refused = try await Suite.sharing(ledger, 30) { number, store in
                let value = try Suite.writing("\(number)")(store)
                if number % 3 == 0 { throw Refusal() }
                if number % 3 == 1 { _ = try Suite.writing("bad")(store) }
                return value
            }
            try Suite.expect(refused.keys.sorted(), (0..<30).filter { $0 % 3 < 2 }, "the refused effects")
            let kept = (0..<30).filter { $0 % 3 == 2 }.map(String.init)
            try Suite.expect(try await Set(Suite.notes(ledger)), Set(kept), "what was done")
            let again = try await ledger.perform(Suite.key("note", 0), Suite.writing("again"))
            try Suite.expect(again, "again", "the result of one that was refused, asked for again")
        },
        Self(name: "a constraint that is checked at the commit fails the effect that violates it, and no other") {
            suite in
            let ledger = try await suite.open([Suite.notes, Self.families])
            let failures = try await Suite.sharing(ledger, 40) { number, store in
                if number == 17 { try store.execute("INSERT INTO children (parent) VALUES (1)", []) }
                return try Suite.writing("\(number)")(store)
            }
            try Suite.expect(failures.keys.sorted(), [17], "the failed effects")
            try Suite.expect(failures.values.contains { $0 is any TransientError }, false, "worth another try")
            let kept = (0..<40).filter { $0 != 17 }.map(String.init)
            try Suite.expect(try await Suite.notes(ledger).sorted(), kept.sorted(), "what was done")
        },
        Self(name: "R31: an effect or an end is not taken for another request's that stands where its own stood") {
            suite in
            let ledger = try await suite.opened()
            let (lost, other) = (
                RequestIdentity(name: "ann-1", content: "tea"), RequestIdentity(name: "ann-1", content: "coffee")
            )
            func key(_ identity: RequestIdentity, _ request: String) -> EffectKey {
                EffectKey(request: request, name: "pay", ordinal: 0, identity: identity, originIdentity: identity)
            }
            for _ in 0..<2 { _ = try await ledger.perform(key(lost, "7:3"), Suite.writing("paid")) }
            try await Suite.expectError(ForeignRequestError.self, "another's effect") {
                try await ledger.perform(key(other, "7:3"), Suite.writing("other"))
            }
            func close(_ identity: RequestIdentity) async throws -> Bool {
                try await ledger.close(request: "7:4", origin: "7:4", identity: identity, unlessEffects: false)
            }
            for _ in 0..<2 { try Suite.expect(try await close(lost), true, "closed") }
            try await Suite.expectError(ForeignRequestError.self, "another's end") { try await close(other) }
            try await Suite.expectError(ForeignRequestError.self, "an effect after another's end") {
                try await ledger.perform(key(other, "7:4"), Suite.writing("other"))
            }
            try await Suite.expectError(LedgerClosedError.self, "an effect after its end") {
                try await ledger.perform(key(lost, "7:4"), Suite.writing("late"))
            }
            try Suite.expect(try await Suite.notes(ledger), ["paid"], "what was done")
        },
    ]

    /// Interactions end once.
    static let ends: [Self] = [
        Self(name: "a closed ledger refuses new effects and keeps recorded ones") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.perform(Suite.key(), Suite.writing("a"))
            for _ in 0..<2 {
                try Suite.expect(try await ledger.close(request: "0:1", unlessEffects: false), true, "closed")
            }
            try Suite.expect(try await ledger.perform(Suite.key(), Suite.writing("b")), "a", "the recorded result")
            let error = try await Suite.expectError(LedgerClosedError.self, "a late effect") {
                try await ledger.perform(Suite.key("note", 1), Suite.writing("late"))
            }
            try Suite.expect(error, LedgerClosedError(Suite.key("note", 1)), "the error")
            _ = try await ledger.perform(Suite.key(request: "0:2"), Suite.writing("other"))
            try Suite.expect(try await Suite.notes(ledger), ["a", "other"], "what was done")
        },
        Self(name: "an end keeps the time at which it came, however often it is asked for") { suite in
            let ledger = try await suite.opened()
            func time(_ request: String) async throws -> Int64 {
                let rows = try await ledger.read { store in
                    let sql = "SELECT at FROM closed_ledgers WHERE request = $1"
                    return .array(try store.query(sql, [.string(request)]).map { $0["at"] ?? .null })
                }
                try Suite.expect(rows.array?.count, 1, "the ends of \(request)")
                return rows.array?.first?.integer ?? 0
            }
            func close(_ request: String) async throws {
                try Suite.expect(try await ledger.close(request: request, unlessEffects: false), true, "closed")
            }
            try await close("0:1")
            let first = try await time("0:1")
            // Until the ledger's clock says another time.
            for number in 2... {
                try await close("0:\(number)")
                if try await time("0:\(number)") > first { break }
            }
            try await close("0:1")
            try Suite.expect(try await time("0:1"), first, "the time of the end")
        },
        Self(name: "effects and ends have the times at which they came, in milliseconds") { suite in
            let ledger = try await suite.opened()
            let began = Date().timeIntervalSince1970 * 1_000
            _ = try await ledger.perform(Suite.key()) { _ in .null }
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            let ended = Date().timeIntervalSince1970 * 1_000
            let times = try await ledger.read { store in
                let sql = "SELECT at FROM effects UNION ALL SELECT at FROM closed_ledgers"
                return .array(try store.query(sql, as: Int.self).map { .integer(Int64($0)) })
            }
            let found = (times.array ?? []).compactMap(\.integer).map(Double.init)
            try Suite.expect(found.count, 2, "the number of times")
            for time in found {
                try Suite.expect((began - 1...ended + 1).contains(time), true, "\(time) in \(began)…\(ended)")
            }
        },
        Self(name: "closing unless there are effects leaves a ledger with effects as it is") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.perform(Suite.key(), Suite.writing("a"))
            try Suite.expect(try await ledger.close(request: "0:1", unlessEffects: true), false, "closed")
            _ = try await ledger.perform(Suite.key("note", 1), Suite.writing("b"))
            for _ in 0..<2 {
                try Suite.expect(try await ledger.close(request: "0:2", unlessEffects: true), true, "closed")
            }
            try await Suite.expectError(LedgerClosedError.self, "a late effect") {
                try await ledger.perform(Suite.key(request: "0:2"), Suite.writing("late"))
            }
            // R5: a turn that has ended with effects cannot be cancelled before it is committed.
            try Suite.expect(try await ledger.close(request: "0:1", unlessEffects: false), true, "closed")
            try Suite.expect(try await ledger.close(request: "0:1", unlessEffects: true), false, "closed")
        },
        Self(name: "of an effect and an end at once, one comes first, and both know which") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            for number in 0..<40 {
                let key = Suite.key(request: "1:\(number)")
                async let made = try? ledgers[0].perform(key, Suite.writing("\(number)"))
                async let closed = ledgers[1].close(request: key.request, unlessEffects: true)
                let (isMade, isClosed) = (await made != nil, try await closed)
                try Suite.expect(isClosed, !isMade, "closed, where the effect was made: \(isMade)")
            }
        },
        Self(name: "ending closes the ledger, and returns the names of the effects in it, in their order") { suite in
            let ledger = try await suite.opened()
            func end(_ request: String, _ origin: String? = nil) async throws -> [String] {
                try await ledger.end(request: request, origin: origin ?? request, identity: nil)
            }
            for key in [Suite.key("z"), Suite.key("a"), Suite.key("z", 1), Suite.key("e\u{301}")] {
                _ = try await ledger.perform(key, Suite.writing("done"))
            }
            try await Suite.expectError((any Error).self, "an effect that fails") {
                try await ledger.perform(Suite.key("bad"), Suite.writing("bad"))
            }
            // Again, as a turn that is run again after a crash does.
            for _ in 0..<2 {
                try Suite.expect(try await end("0:1"), ["z", "a", "z", "e\u{301}"], "the effects' names")
            }
            try await Suite.expectError(LedgerClosedError.self, "a late effect") {
                try await ledger.perform(Suite.key("late"), Suite.writing("late"))
            }
            try Suite.expect(try await end("0:2"), [], "the effects' names where there are none")
            try await Suite.expectError(LedgerClosedError.self, "a late effect") {
                try await ledger.perform(Suite.key(request: "0:2"), Suite.writing("late"))
            }
            // R48: those of the one that it follows.
            let added = EffectKey(request: "0:9", origin: "0:1", name: "added", ordinal: 0)
            _ = try await ledger.perform(added, Suite.writing("added"))
            try Suite.expect(try await end("0:9", "0:1"), ["z", "a", "z", "e\u{301}", "added"], "the effects' names")
            let identity = RequestIdentity(name: "ann-1", content: "tea")
            _ = try await ledger.end(request: "7:4", origin: "7:4", identity: identity)
            try await Suite.expectError(ForeignRequestError.self, "another's end") {
                try await ledger.end(
                    request: "7:4",
                    origin: "7:4",
                    identity: RequestIdentity(name: "ann-1", content: "coffee")
                )
            }
        },
        Self(name: "of an effect and an end at once, the end names the effect, or the effect is not made") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            for number in 0..<40 {
                let key = Suite.key(request: "1:\(number)")
                async let made = try? ledgers[0].perform(key, Suite.writing("\(number)"))
                async let named = ledgers[1].end(request: key.request, origin: key.origin, identity: nil)
                let (isMade, names) = (await made != nil, try await named)
                try Suite.expect(names, isMade ? ["note"] : [], "named, where the effect was made: \(isMade)")
            }
        },
        Self(name: "R48: a redriven interaction shares the effects of the one that it follows") { suite in
            let ledger = try await suite.opened()
            func redriven(_ name: String) -> EffectKey {
                EffectKey(request: "0:9", origin: "0:1", name: name, ordinal: 0)
            }
            func closeRedriven(unlessEffects: Bool) async throws -> Bool {
                try await ledger.close(request: "0:9", origin: "0:1", identity: nil, unlessEffects: unlessEffects)
            }
            _ = try await ledger.perform(Suite.key("first"), Suite.writing("first"))
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            _ = try await ledger.perform(redriven("first"), Suite.writing("again"))
            try Suite.expect(try await closeRedriven(unlessEffects: true), false, "closed")
            _ = try await ledger.perform(redriven("second"), Suite.writing("second"))
            // The first one's zombie gets the result of what was done meanwhile, and does nothing.
            let zombie = try await ledger.perform(Suite.key("second"), Suite.writing("late"))
            try Suite.expect(zombie, "second", "the zombie's result")
            try await Suite.expectError(LedgerClosedError.self, "the zombie's own effect") {
                try await ledger.perform(Suite.key("third"), Suite.writing("late"))
            }
            try Suite.expect(try await closeRedriven(unlessEffects: false), true, "closed")
            try await Suite.expectError(LedgerClosedError.self, "a late effect") {
                try await ledger.perform(redriven("third"), Suite.writing("late"))
            }
            try Suite.expect(try await ledger.effects(origin: "0:1"), ["first", "second"], "the effects' names")
            try Suite.expect(try await Suite.notes(ledger), ["first", "second"], "what was done")
        },
        Self(name: "the last request of a partition is found by its number, in effects and in ends") { suite in
            let ledger = try await suite.opened()
            try Suite.expect(try await ledger.lastRequest(inPartition: 7), nil, "the last request of none")
            for request in ["7:0", "7:9", "7:1000", "7:998", "70:5000", "6:7000", "demo-data 7:1"] {
                _ = try await ledger.perform(Suite.key(request: request)) { _ in 1 }
            }
            try Suite.expect(try await ledger.lastRequest(inPartition: 7), 1_000, "the last request")
            _ = try await ledger.effects(origin: "7:30001")
            _ = try await ledger.close(request: "7:20001", unlessEffects: true)
            try Suite.expect(try await ledger.lastRequest(inPartition: 7), 20_001, "the last request")
            try Suite.expect(try await ledger.lastRequest(inPartition: 70), 5_000, "the last request")
            try Suite.expect(try await ledger.lastRequest(inPartition: 5), nil, "the last request of none")
        },
    ]
}
