internal import IntentKit

extension LedgerConformance.Check {
    private typealias Suite = LedgerConformance

    /// The key of an effect, as an interaction undoes it in a round.
    private static func key(
        _ name: String = "note",
        _ ordinal: Int = 0,
        by request: String = "0:1",
        round: Int = 1
    ) -> EffectKey {
        EffectKey(request: request, origin: "0:1", name: name, ordinal: ordinal, round: round)
    }

    /// Begins a round and undoes effects in it: each undo writes a note.
    @discardableResult
    private static func undo(_ ledger: any LedgerStore, _ keys: [EffectKey]) async throws -> [JSONValue] {
        try await ledger.undo(keys) { key, result, store in
            try Suite.writing("no \(result.string ?? "")")(store)
        }
    }

    /// Effects that are undone (R75).
    static let undos: [Self] = [
        Self(name: "an undo gets the recorded result, and moves the effect away") { suite in
            let ledger = try await suite.opened()
            for name in ["a", "b"] { _ = try await ledger.perform(Suite.key(name), Suite.writing(name)) }
            let results = try await Self.undo(ledger, [Self.key("a")])
            try Suite.expect(results, ["no a"], "the undo's result")
            try Suite.expect(try await ledger.effects(origin: "0:1"), ["b"], "the effects that are left")
            try Suite.expect(try await Suite.notes(ledger), ["a", "b", "no a"], "what was done")
            let moved = try await ledger.read { store in
                .array(
                    try store.query(
                        "SELECT request, name, ordinal, undone_by, round, result, undo_result FROM undone_effects",
                        []
                    )
                    .map(JSONValue.object)
                )
            }
            let row: JSONObject = [
                "name": "a", "ordinal": 0, "request": "0:1", "result": #""a""#, "round": 1, "undo_result": #""no a""#,
                "undone_by": "0:1",
            ]
            try Suite.expect(moved, [.object(row)], "the row of the undone effect")
        },
        Self(name: "an undo that comes twice returns the first one's result") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.perform(Suite.key(), Suite.writing("a"))
            for _ in 0..<2 { try Suite.expect(try await Self.undo(ledger, [Self.key()]), ["no a"], "the result") }
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            try Suite.expect(try await Self.undo(ledger, [Self.key()]), ["no a"], "the result after the end")
            try Suite.expect(try await Suite.notes(ledger), ["a", "no a"], "what was done")
        },
        Self(name: "effects are undone in the given order, and one that refuses rolls all of them back") { suite in
            let ledger = try await suite.opened()
            for name in ["a", "bad", "c"] { _ = try await ledger.perform(Suite.key(name)) { _ in .string(name) } }
            let keys = ["c", "bad", "a"].map { Self.key($0) }
            try await Suite.expectError((any Error).self, "an undo that fails") {
                try await ledger.undo(keys) { _, result, store in try Suite.writing(result.string ?? "")(store) }
            }
            try Suite.expect(try await ledger.effects(origin: "0:1"), ["a", "bad", "c"], "the effects")
            try Suite.expect(try await Suite.notes(ledger), [], "what was done")
            try Suite.expect(try await Self.undo(ledger, keys), ["no c", "no bad", "no a"], "the results")
            try Suite.expect(try await ledger.effects(origin: "0:1"), [], "the effects that are left")
        },
        Self(name: "effects of one name are undone one by one, and the others keep their ordinals") { suite in
            let ledger = try await suite.opened()
            for ordinal in 0..<3 {
                _ = try await ledger.perform(Suite.key("note", ordinal), Suite.writing("\(ordinal)"))
            }
            try Suite.expect(try await Self.undo(ledger, [Self.key("note", 1)]), ["no 1"], "the result")
            let left = try await ledger.fence(request: "0:1", origin: "0:1", identity: nil, round: 2, among: nil)
            try Suite.expect(left.map(\.ordinal), [0, 2], "the ordinals")
        },
        Self(name: "an effect that was undone can be made, and undone, again in a later round") { suite in
            let ledger = try await suite.opened()
            for round in 0..<2 {
                let key = EffectKey(request: "0:1", name: "note", ordinal: 0, round: round)
                _ = try await ledger.perform(key, Suite.writing("\(round)"))
                _ = try await ledger.fence(
                    request: "0:1",
                    origin: "0:1",
                    identity: nil,
                    round: round + 1,
                    among: nil
                )
                let undone = try await Self.undo(ledger, [Self.key(round: round + 1)])
                try Suite.expect(undone, [.string("no \(round)")], "the result in round \(round + 1)")
                try await Suite.expectError(LedgerClosedError.self, "the effect of round \(round), which is over") {
                    try await ledger.perform(key, Suite.writing("again"))
                }
            }
            try Suite.expect(try await Suite.notes(ledger), ["0", "no 0", "1", "no 1"], "what was done")
        },
        Self(name: "an interaction that has ended, or has begun a later round, undoes nothing") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.perform(Suite.key(), Suite.writing("a"))
            _ = try await ledger.fence(request: "0:1", origin: "0:1", identity: nil, round: 2, among: nil)
            try await Suite.expectError(LedgerClosedError.self, "an undo of an earlier round") {
                try await Self.undo(ledger, [Self.key(round: 1)])
            }
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            try await Suite.expectError(LedgerClosedError.self, "an undo after the end") {
                try await Self.undo(ledger, [Self.key(round: 2)])
            }
            try Suite.expect(try await Suite.notes(ledger), ["a"], "what was done")
        },
        Self(name: "another interaction can undo the effects of one that has ended, once") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.perform(Suite.key(), Suite.writing("a"))
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            try Suite.expect(try await Self.undo(ledger, [Self.key(by: "1:7", round: 0)]), ["no a"], "the result")
            let error = try await Suite.expectError(NoEffectError.self, "an undo by a third interaction") {
                try await Self.undo(ledger, [Self.key(by: "1:8", round: 0)])
            }
            try Suite.expect(error.key.request, "1:8", "the interaction that is refused")
            try await Suite.expectError(NoEffectError.self, "an effect that was never made") {
                try await Self.undo(ledger, [Self.key("other", by: "1:7", round: 0)])
            }
        },
        Self(name: "effects of another request at the same position are not undone") { suite in
            let ledger = try await suite.opened()
            let (first, second) = (RequestIdentity(name: "a", content: "1"), RequestIdentity(name: "b", content: "2"))
            func key(_ identity: RequestIdentity) -> EffectKey {
                EffectKey(request: "0:1", name: "note", ordinal: 0, identity: identity, originIdentity: identity)
            }
            _ = try await ledger.perform(key(first), Suite.writing("a"))
            for expected in [["a"], ["a", "no a"]] {
                try await Suite.expectError(ForeignRequestError.self, "an undo by the other request") {
                    try await Self.undo(ledger, [key(second)])
                }
                try Suite.expect(try await Suite.notes(ledger), expected, "what was done")
                try await Self.undo(ledger, [key(first)])
            }
        },
        Self(name: "an end keeps what may be undone, and an undo records who has done it") { suite in
            let ledger = try await suite.opened()
            for name in ["a", "b", "c"] { _ = try await ledger.perform(Suite.key(name), Suite.writing(name)) }
            func end(_ until: [String: Int64]) async throws {
                let intent = IntentSnapshot(name: "Trip", parameters: ["to": "L\u{0}"])
                let names = try await ledger.end(
                    request: "0:1",
                    origin: "0:1",
                    identity: nil,
                    offering: UndoOffer(user: "ada", interaction: "i1", intent: intent, until: until)
                )
                try Suite.expect(names, ["a", "b", "c"], "the names at the end")
            }
            func offers() async throws -> JSONValue {
                try await ledger.read { store in
                    let sql = "SELECT origin, user_id, interaction, intent, effects, until, undone_by FROM undoable"
                    return .array(try store.query(sql, []).map(JSONValue.object))
                }
            }
            try await end(["x": 5])
            try Suite.expect(try await offers(), [], "an offer that concerns no effect")
            // The turn may run again, somewhat later.
            for until: Int64 in [7, 8] { try await end(["c": until + 1, "a": until, "x": 1]) }
            var offer: JSONObject = [
                "effects": #"[{"name":"a","ordinal":0},{"name":"c","ordinal":0}]"#, "interaction": "i1",
                "intent": #"{"name":"Trip","parameters":{"to":"L\u0000"}}"#, "origin": "0:1", "undone_by": .null,
                "until": 8, "user_id": "ada",
            ]
            try Suite.expect(try await offers(), [.object(offer)], "the offer")
            let keys = ["c", "a"].map { Self.key($0, by: "1:7", round: 0) }
            try await Self.undo(ledger, keys)
            offer["undone_by"] = "1:7"
            try Suite.expect(try await offers(), [.object(offer)], "the offer after the undo")
        },
        Self(name: "of two undos at once, one is done and both get its result") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            for number in 0..<30 {
                _ = try await ledgers[0].perform(Suite.key("note", number), Suite.writing("\(number)"))
                let key = Self.key("note", number, round: 0)
                async let one = Self.undo(ledgers[0], [key])
                async let other = Self.undo(ledgers[1], [key])
                try Suite.expect(try await [one, other], [["no \(number)"], ["no \(number)"]], "the results")
            }
            try Suite.expect(try await Suite.notes(ledgers[0]).count, 60, "how much was done")
        },
    ]
}
