/// The findings about one interaction, or about none.
package struct FindingGroup: Hashable, Sendable {
    /// The interaction; nil where it is not known.
    package var about: InteractionReference?
    /// The findings: those with values first, since the others usually follow from them.
    package var findings: [AuditFinding]

    /// Groups findings by interaction and user, in the order in which they were found; those without an interaction
    /// come last.
    package static func groups(_ findings: [AuditFinding]) -> [FindingGroup] {
        var groups: [FindingGroup] = []
        var indices: [InteractionReference?: Int] = [:]
        for finding in findings {
            // Some records of an interaction do not name its intent.
            let key = finding.about.map { InteractionReference(interactionID: $0.interactionID, userID: $0.userID) }
            if let index = indices[key] {
                groups[index].findings.append(finding)
                if groups[index].about?.intent == nil { groups[index].about?.intent = finding.about?.intent }
            } else {
                indices[key] = groups.count
                groups.append(FindingGroup(about: finding.about, findings: [finding]))
            }
        }
        for index in groups.indices {
            let findings = groups[index].findings
            groups[index].findings = findings.filter { !$0.values.isEmpty } + findings.filter(\.values.isEmpty)
        }
        return groups.filter { $0.about != nil } + groups.filter { $0.about == nil }
    }
}
