package import IntentKit

/// What a verification has checked and found.
package struct AuditReport: Hashable, Sendable {
    package var findings: [AuditFinding] = []
    /// What could not be checked, and why: a part that retention has removed.
    package var notes: [String] = []
    /// The number of turns that were checked.
    package var turns = 0
    /// The number of records on topics that were compared with what turns say of them.
    package var records = 0
    /// The number of state entries that were compared.
    package var states = 0
    /// The number of rows of the record database that were compared.
    package var rows = 0
    /// The number of rows of the effects' ledger that were compared.
    package var effects = 0
    /// The number of values that turns wrote to the state and that are no longer on its topic: overwritten in the same
    /// batch, or compacted.
    package var overwrittenStates = 0
    /// The number of an anchor's heads that were found again.
    package var anchors = 0

    package init() {}

    /// Whether nothing is wrong.
    package var isSound: Bool { self.findings.isEmpty }

    /// Adds what another part of the verification has found.
    mutating func add(_ other: AuditReport) {
        self.findings += other.findings
        self.notes += other.notes
        self.turns += other.turns
        self.records += other.records
        self.states += other.states
        self.rows += other.rows
        self.effects += other.effects
        self.overwrittenStates += other.overwrittenStates
        self.anchors += other.anchors
    }

    package var groups: [FindingGroup] { FindingGroup.groups(self.findings) }

    /// The last line.
    package var summary: String {
        var parts = [
            Self.count(self.turns, "turn"), Self.count(self.records, "record"),
            Self.count(self.states, "state entry", "state entries"), Self.count(self.rows, "row"),
        ]
        if self.effects > 0 { parts.append(Self.count(self.effects, "effect")) }
        if self.anchors > 0 { parts.append(Self.count(self.anchors, "anchored head")) }
        return parts.joined(separator: ", ") + ": "
            + (self.findings.isEmpty ? "no discrepancies" : Self.count(self.findings.count, "finding"))
    }

    private static func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
        "\(number) \(number == 1 ? one : several ?? one + "s")"
    }

    /// The report for `--json`.
    package var json: JSONValue {
        [
            "sound": .bool(self.isSound),
            "findings": .array(self.findings.map(\.json)),
            "notes": .array(self.notes.map(JSONValue.string)),
            "turns": .integer(Int64(self.turns)),
            "records": .integer(Int64(self.records)),
            "states": .integer(Int64(self.states)),
            "rows": .integer(Int64(self.rows)),
            "effects": .integer(Int64(self.effects)),
            "anchors": .integer(Int64(self.anchors)),
        ]
    }
}
