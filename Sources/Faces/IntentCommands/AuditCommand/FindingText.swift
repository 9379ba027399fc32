import IntentAudit
import IntentKit
import IntentOperations

/// An audit's findings for people: by interaction, with the values on both sides.
struct FindingText {
    let masking: Masking
    /// The number of findings that are shown of an interaction.
    var limit = 10

    /// The line above an interaction's findings.
    func heading(_ group: FindingGroup) -> String {
        let count = group.findings.count == 1 ? "1 finding" : "\(group.findings.count) findings"
        guard let about = group.about else { return "no interaction: \(count)" }
        let user = about.userID.map { "\($0)" } ?? "an unknown user"
        guard let id = about.interactionID else { return "user \(user): \(count)" }
        return "interaction \(id) of \(user)\(about.intent.map { ", \($0)" } ?? ""): \(count)"
    }

    /// The findings, one line each; those with values begin with them.
    func lines(_ group: FindingGroup) -> [String] {
        let shown = group.findings.prefix(self.limit).flatMap(self.lines)
        let hidden = group.findings.count - self.limit
        return shown + (hidden > 0 ? ["  … and \(hidden) more related findings (--limit, --json)"] : [])
    }

    private func lines(_ finding: AuditFinding) -> [String] {
        let line = "  \(finding.subject.rawValue)  \(finding.location)  \(finding.detail)"
        return self.differences(finding)
            .map { difference in
                let (then, now) = (Self.text(difference.then), Self.text(difference.now))
                return "  \(difference.path): the records say \(then), the topics say \(now)"
            } + [line]
    }

    /// The finding for programs, with its values.
    func json(_ finding: AuditFinding) -> JSONValue {
        guard !finding.values.isEmpty, var members = finding.json.object else { return finding.json }
        members["values"] = .array(
            self.differences(finding)
                .map { .members(["path": .string($0.path), "records": $0.then, "topics": $0.now]) }
        )
        return .object(members)
    }

    /// The difference between records and topics, with sensitive values masked on both sides.
    func differences(_ finding: AuditFinding) -> [Difference] {
        finding.values.map { values in
            let (then, now) = (
                self.masking.masked(values.recorded, ofColumn: values.column),
                self.masking.masked(values.topics, ofColumn: values.column)
            )
            let path = values.column == "value" ? "" : values.column
            // The values differ all the same when both sides are masked.
            return Difference.first(then, now, path: path)
                ?? Difference(
                    path: values.column,
                    then: .string(Masking.mask),
                    now: .string(Masking.mask)
                )
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "nothing" }
        let text = EventSummary.value(value)
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}
