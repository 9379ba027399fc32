internal import IntentEvents
internal import IntentRuntime
internal import SQLiteStore

/// Checks who signed the cut marks: the marks of what was removed from a database file (R46).
struct CutCheck {
    private let marks: [CutMark]
    private let publicKey: VerifyingKey?

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - marks: The marks.
    ///   - publicKey: The key that must have signed them; nil when none is given.
    init(_ marks: [CutMark], publicKey: VerifyingKey?) {
        self.marks = marks
        self.publicKey = publicKey
    }

    /// What is wrong, and what is missing because of the cuts.
    var report: AuditReport {
        var report = AuditReport()
        for mark in self.marks {
            func find(_ detail: String) {
                let subject: AuditFinding.Subject = mark.database == .records ? .record : .effect
                report.findings.append(AuditFinding(subject, "cuts of \(mark.at) (\(mark.database.rawValue))", detail))
            }
            switch mark.signatureCheck {
            case .invalid: find("The signature is invalid: the mark was changed after it was signed.")
            case .unsigned where self.publicKey != nil:
                find("The mark is not signed: rows may have been removed without authorization.")
            case .signed(let key):
                if let publicKey, publicKey != key {
                    find("The mark is signed by \(key), not by \(publicKey): rows were removed without authorization.")
                }
            case .unsigned: break
            }
        }
        if let last = self.marks.max(by: { $0.before < $1.before }) {
            report.notes.append(
                "Rows of the \(last.database.rawValue) from before \(last.before) were pruned (\(self.marks.count) "
                    + "\(self.marks.count == 1 ? "cut" : "cuts")): they were not compared."
            )
        }
        return report
    }
}
