internal import IntentEvents
package import IntentKit

package struct ReplayReport: Hashable, Sendable {
    package private(set) var counts: [TurnVerdict.Outcome: Int] = [:]
    /// The first turns that did not match, in the order of their positions.
    package private(set) var verdicts: [TurnVerdict] = []
    /// Events that no turn has processed yet: they wait, or their stage has not reached them.
    package var waiting = 0
    /// The number of verdicts that are kept.
    private let limit: Int

    package init(limit: Int = 10_000) { self.limit = limit }

    /// Whether every turn matched.
    package var isMatched: Bool { self.counts.allSatisfy { $0.key == .matched || $0.value == 0 } }
    package var turns: Int { self.counts.values.reduce(0, +) }

    mutating func addMatched(_ count: Int) { self.counts[.matched, default: 0] += count }

    /// Adds a turn that did not match.
    mutating func add(_ verdict: TurnVerdict) {
        self.counts[verdict.outcome, default: 0] += 1
        if self.verdicts.count < self.limit { self.verdicts.append(verdict) }
    }

    /// Sorts the verdicts by position.
    mutating func sort() {
        func key(_ verdict: TurnVerdict) -> (Int, Int64, Int64) {
            (
                verdict.journal?.partition ?? verdict.event?.partition ?? 0, verdict.journal?.offset ?? .max,
                verdict.event?.offset ?? 0
            )
        }
        self.verdicts.sort { key($0) < key($1) }
    }

    /// `Matched 12, Diverged 0, Missing 0, Error 0`.
    package var summary: String {
        TurnVerdict.Outcome.allCases.map { "\($0.rawValue) \(self.counts[$0] ?? 0)" }.joined(separator: ", ")
    }

    /// The report for `--json`.
    package var json: JSONValue {
        var members: JSONObject = [:]
        for outcome in TurnVerdict.Outcome.allCases {
            members[outcome.rawValue.lowercased()] = .integer(Int64(self.counts[outcome] ?? 0))
        }
        members["waiting"] = .integer(Int64(self.waiting))
        members["turns"] = .array(self.verdicts.map(\.json))
        return .object(members)
    }
}
