package import IntentKit

/// What a verification has looked at and found.
package struct AuditReport: Hashable, Sendable {
    /// What is not as it must be.
    package var findings: [AuditFinding] = []
    /// What could not be looked at, and why: a part that retention has removed.
    package var notes: [String] = []
    /// How many turns were checked.
    package var turns = 0
    /// How many records of topics were compared with what turns say of them.
    package var records = 0
    /// How many state entries were compared.
    package var states = 0
    /// How many rows of the record database were compared.
    package var rows = 0
    /// How many rows of the effects' ledger were compared.
    package var effects = 0
    /// How many values that turns wrote to the state no longer stand on its topic: overwritten in the same batch, or
    /// compacted.
    package var overwrittenStates = 0
    /// How many heads of an anchor were found again.
    package var anchors = 0

    /// Begins with nothing.
    package init() {}

    /// Whether everything is as it must be.
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

    /// The findings by interaction.
    package var groups: [FindingGroup] { FindingGroup.groups(self.findings) }

    /// The last line.
    package var summary: String {
        "\(self.turns) turns, \(self.records) records, \(self.states) state entries, \(self.rows) rows"
            + (self.effects > 0 ? ", \(self.effects) effects" : "")
            + (self.anchors > 0 ? ", \(self.anchors) anchored heads" : "")
            + (self.findings.isEmpty
                ? ": all as they must be"
                : self.findings.count == 1 ? ": 1 finding" : ": \(self.findings.count) findings")
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
