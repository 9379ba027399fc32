internal import IntentKit

extension LedgerConformance.Check {
    private typealias Suite = LedgerConformance

    /// The key of an effect in a round.
    private static func key(_ name: String = "note", request: String = "0:1", round: Int) -> EffectKey {
        EffectKey(request: request, name: name, ordinal: 0, round: round)
    }

    private static func fence(
        _ ledger: any LedgerStore,
        _ round: Int,
        request: String = "0:1",
        identity: RequestIdentity? = nil,
        among names: Set<String>? = nil
    ) async throws -> [String] {
        try await ledger.fence(request: request, origin: request, identity: identity, round: round, among: names)
            .map(\.name)
    }

    /// Rounds of interactions that go back to the user.
    static let rounds: [Self] = [
        Self(name: "a fence refuses new effects of earlier rounds, and accepts those of its own") { suite in
            let ledger = try await suite.opened()
            try Suite.expect(try await Self.fence(ledger, 1), [], "the effects before any")
            try await Suite.expectError(LedgerClosedError.self, "an effect of the round before") {
                try await ledger.perform(Self.key(round: 0), Suite.writing("old"))
            }
            for round in 1...2 {
                let key = Self.key("\(round)", round: round)
                try Suite.expect(try await ledger.perform(key, Suite.writing("\(round)")), "\(round)", "its result")
            }
            try Suite.expect(try await Suite.notes(ledger), ["1", "2"], "what was done")
        },
        Self(name: "a fence returns the effects, in their order") { suite in
            let ledger = try await suite.opened()
            for name in ["b", "a", "b"] {
                let ordinal = name == "b" ? try await ledger.effects(origin: "0:1").count { $0 == "b" } : 0
                _ = try await ledger.perform(Suite.key(name, ordinal), Suite.writing(name))
            }
            try Suite.expect(try await Self.fence(ledger, 1), ["b", "a", "b"], "the effects")
            let other = try await ledger.fence(request: "0:9", origin: "0:1", identity: nil, round: 1, among: nil)
            try Suite.expect(other.map(\.name), ["b", "a", "b"], "the effects that a redriven interaction shares")
            try Suite.expect(other.map(\.ordinal), [0, 0, 1], "their ordinals")
        },
        Self(name: "a fence among names begins no round while there is an effect of another name") { suite in
            let ledger = try await suite.opened()
            for name in ["a", "b"] { _ = try await ledger.perform(Suite.key(name), Suite.writing(name)) }
            try Suite.expect(try await Self.fence(ledger, 1, among: ["a"]), ["a", "b"], "the effects")
            _ = try await ledger.perform(Self.key("c", round: 0), Suite.writing("c"))
            try Suite.expect(try await Self.fence(ledger, 1, among: ["a", "b", "c"]), ["a", "b", "c"], "all effects")
            try await Suite.expectError(LedgerClosedError.self, "an effect of the round before") {
                try await ledger.perform(Self.key("d", round: 0), Suite.writing("d"))
            }
        },
        Self(name: "a fence that comes twice, or late, changes nothing") { suite in
            let ledger = try await suite.opened()
            for round in [2, 2, 1] {
                try Suite.expect(try await Self.fence(ledger, round), [], "the effects")
                try await Suite.expectError(LedgerClosedError.self, "an effect of round 1") {
                    try await ledger.perform(Self.key(round: 1), Suite.writing("old"))
                }
            }
            _ = try await ledger.perform(Self.key(round: 2), Suite.writing("new"))
            try Suite.expect(try await Suite.notes(ledger), ["new"], "what was done")
        },
        Self(name: "a recorded result outlives a fence") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.perform(Self.key(round: 0), Suite.writing("a"))
            _ = try await Self.fence(ledger, 1)
            for round in 0...1 {
                let result = try await ledger.perform(Self.key(round: round), Suite.writing("again"))
                try Suite.expect(result, "a", "its result in round \(round)")
            }
            try Suite.expect(try await Suite.notes(ledger), ["a"], "what was done")
        },
        Self(name: "a fence concerns the interaction of its request alone") { suite in
            let ledger = try await suite.opened()
            _ = try await Self.fence(ledger, 1)
            let redriven = EffectKey(request: "0:9", origin: "0:1", name: "redriven", ordinal: 0)
            for key in [Self.key(request: "0:2", round: 0), redriven] {
                _ = try await ledger.perform(key, Suite.writing(key.request))
            }
            try Suite.expect(try await Suite.notes(ledger), ["0:2", "0:9"], "what was done")
        },
        Self(name: "an ended interaction begins no round") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            try await Suite.expectError(LedgerClosedError.self, "a fence after the end") {
                try await Self.fence(ledger, 1)
            }
        },
        Self(name: "a round of another request at the same position is a foreign one") { suite in
            let ledger = try await suite.opened()
            let (first, second) = (RequestIdentity(name: "a", content: "1"), RequestIdentity(name: "b", content: "2"))
            _ = try await Self.fence(ledger, 1, identity: first)
            let key = EffectKey(request: "0:1", name: "note", ordinal: 0, identity: second, originIdentity: second)
            try await Suite.expectError(ForeignRequestError.self, "an effect of the other request") {
                try await ledger.perform(key, Suite.writing("other"))
            }
            try await Suite.expectError(ForeignRequestError.self, "a fence of the other request") {
                try await Self.fence(ledger, 2, identity: second)
            }
        },
        Self(name: "a round is removed with its interaction's end") { suite in
            let ledger = try await suite.opened()
            _ = try await Self.fence(ledger, 3)
            _ = try await ledger.close(request: "0:1", unlessEffects: false)
            _ = try await ledger.write { store in
                .integer(Int64(try store.execute("DELETE FROM closed_ledgers WHERE request = $1", ["0:1"])))
            }
            _ = try await ledger.perform(Self.key(round: 0), Suite.writing("a"))
            try Suite.expect(try await Suite.notes(ledger), ["a"], "what was done")
        },
        Self(name: "of a fence and an effect at once, either the effect is refused or the fence names it") { suite in
            let ledgers = [try await suite.opened(), try await suite.opened()]
            for number in 0..<100 {
                let request = "\(number % 4):\(number)"
                async let fenced = Self.fence(ledgers[number % 2], 1, request: request)
                var isMade = true
                do {
                    let key = Self.key(request: request, round: 0)
                    _ = try await ledgers[1 - number % 2].perform(key, Suite.writing(request))
                } catch is LedgerClosedError {
                    isMade = false
                }
                try Suite.expect(try await fenced, isMade ? ["note"] : [], "the effects of \(request)")
            }
        },
    ]
}
