internal import IntentKit

extension LedgerConformance.Check {
    private typealias Suite = LedgerConformance

    /// Whatever happens, and in whichever order, a ledger does as the model does.
    static let histories: [Self] = (1...4)
        .map { seed in
            Self(name: "R30, R31, R48: redrives, ends, repetitions and strangers in any order (seed \(seed))") {
                suite in
                // As two processes: whatever one of them remembers, the other one has written.
                let ledgers = [try await suite.opened(), try await suite.opened()]
                var numbers = SeededNumbers(seed: UInt64(seed))
                var model = LedgerModel()
                var done: [String] = []
                for step in 0..<150 {
                    let ledger = numbers.pick(ledgers)
                    let (key, what) = (Self.key(&numbers), "step \(step)")
                    switch numbers.below(10) {
                    case 0, 1:
                        let unlessEffects = numbers.coin()
                        let expected = Result { try model.close(key, unlessEffects: unlessEffects) }
                        let found = await Result.of {
                            try await ledger.close(
                                request: key.request,
                                origin: key.origin,
                                identity: key.identity,
                                unlessEffects: unlessEffects
                            )
                        }
                        try Suite.expect("\(found)", "\(expected)", "\(what), the end of \(key.request)")
                    case 2:
                        let found = try await ledger.effects(origin: key.origin)
                        try Suite.expect(found, model.effects(origin: key.origin), "\(what), effects of \(key.origin)")
                    default:
                        let expected = Result { try model.perform(key, .string(what)) }
                        let found = await Result.of { try await ledger.perform(key, Suite.writing(what)) }
                        try Suite.expect(
                            "\(found)",
                            "\(expected)",
                            "\(what), \(key.name) \(key.ordinal) of \(key.request)"
                        )
                        if (try? expected.get()) == .string(what) { done.append(what) }
                    }
                }
                try Suite.expect(try await Suite.notes(ledgers[0]), done, "what was done")
            }
        }

    /// An effect that one of three requests, or of those that were redriven from it, asks for; sometimes it is another
    /// request that has got the position.
    private static func key(_ numbers: inout SeededNumbers) -> EffectKey {
        let (first, redrive) = (numbers.below(3), numbers.below(4))
        let isStranger = numbers.oneIn(12)
        func identity(_ name: String, _ content: String?) -> RequestIdentity {
            RequestIdentity(name: name + (isStranger ? "'" : ""), content: content)
        }
        let own = identity("i-\(first)-\(redrive)", "tea")
        return EffectKey(
            request: "0:\(first * 10 + redrive)",
            origin: "0:\(first * 10)",
            name: numbers.pick(["pay", "book"]),
            ordinal: numbers.below(3),
            identity: own,
            // Of the first request, those that were redriven from it know only the name.
            originIdentity: redrive == 0 ? own : identity("i-\(first)-0", nil)
        )
    }
}

extension Result where Failure == any Error {
    /// What a body gives or throws.
    fileprivate static func of(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

/// What a ledger keeps, as plain values.
private struct LedgerModel {
    private var results: [EffectKey: (value: JSONValue, identity: RequestIdentity?)] = [:]
    private var order: [EffectKey] = []
    private var closed: [String: RequestIdentity?] = [:]

    /// See `EffectLedger.perform(_:_:)`.
    mutating func perform(_ key: EffectKey, _ value: JSONValue) throws -> JSONValue {
        if let known = self.results[key] {
            try ForeignRequestError.check(key.origin, key.originIdentity, recorded: known.identity?.text)
            return known.value
        }
        if let ended = self.closed[key.request] {
            try ForeignRequestError.check(key.request, key.identity, recorded: ended?.text)
            throw LedgerClosedError(key)
        }
        self.results[key] = (value, key.originIdentity)
        self.order.append(key)
        return value
    }

    /// See `EffectLedger.close(request:origin:identity:unlessEffects:)`.
    mutating func close(_ key: EffectKey, unlessEffects: Bool) throws -> Bool {
        if unlessEffects, !self.effects(origin: key.origin).isEmpty { return false }
        if let ended = self.closed[key.request] {
            try ForeignRequestError.check(key.request, key.identity, recorded: ended?.text)
        } else {
            self.closed[key.request] = key.identity
        }
        return true
    }

    /// See `EffectLedger.effects(origin:)`.
    func effects(origin: String) -> [String] { self.order.filter { $0.origin == origin }.map(\.name) }
}
