package import IntentRuntime

/// Checks anchors against each other and against the key that must have signed them.
///
/// The turns that they anchor are checked with the chains.
package struct AnchorCheck: Sendable {
    private let anchors: [Anchor]
    private let publicKey: VerifyingKey?

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - anchors: The anchors that were kept.
    ///   - publicKey: The key that must have signed them; nil when none is given.
    package init(_ anchors: [Anchor], publicKey: VerifyingKey?) {
        self.anchors = anchors
        self.publicKey = publicKey
    }

    /// The findings, and notes on what could not be checked.
    package var report: AuditReport {
        var report = AuditReport()
        var signers: Set<VerifyingKey> = []
        for anchor in self.anchors {
            switch anchor.signatureCheck {
            case .invalid:
                Self.find(&report, anchor, "The signature is invalid: the anchor was changed after it was signed.")
            case .signed(let key):
                if let publicKey, key != publicKey {
                    Self.find(
                        &report,
                        anchor,
                        "The anchor is signed by \(key), not by \(publicKey): it has another author."
                    )
                }
                signers.insert(key)
            case .unsigned:
                if self.publicKey != nil { Self.find(&report, anchor, "The anchor is not signed.") }
            }
        }
        if self.publicKey == nil, !self.anchors.isEmpty {
            report.notes.append(
                signers.isEmpty
                    ? "The anchors are not signed: anyone who can write the file can forge them."
                    : "The anchors are signed by \(signers.map(\.description).sorted().joined(separator: ", ")): pass the trusted key "
                        + "with --public-key."
            )
        }
        self.follow(&report)
        return report
    }

    /// Follows the chain of numbered anchors.
    private func follow(_ report: inout AuditReport) {
        let chained = self.anchors.filter { $0.number != nil }
            .sorted { ($0.number ?? 0, $0.at) < ($1.number ?? 0, $1.at) }
        for (before, anchor) in zip(chained, chained.dropFirst()) {
            guard let number = anchor.number, let last = before.number else { continue }
            if number == last {
                guard anchor.digest != before.digest else { continue }
                Self.find(&report, anchor, "Two anchors have this number.")
            } else if number == last + 1 {
                guard anchor.previous != before.digest else { continue }
                Self.find(&report, anchor, "It does not follow anchor \(last): one of the two was replaced.")
            } else {
                report.notes.append("Anchors \(last + 1) to \(number - 1) are missing.")
            }
        }
    }

    private static func find(_ report: inout AuditReport, _ anchor: Anchor, _ detail: String) {
        report.findings.append(AuditFinding(.anchor, anchor.name, detail))
    }
}
