internal import IntentEvents
internal import IntentRuntime
package import WireRules

extension TextForm {
    /// A point in time as clients may write it.
    package static let time = TextForm(
        "a date and time such as 2026-11-21T12:30:00Z",
        pattern:
            #"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"#
    ) { Timestamp($0) != nil }

    /// A point in time as intentd writes it.
    package static let ownTime = TextForm(
        "a date and time such as 2026-11-21T12:30:00.000Z",
        pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"#,
        format: "date-time"
    ) { Timestamp($0)?.description == $0 }

    /// An id that intentd generates (R7).
    package static let ownID = TextForm("32 hexadecimal digits", pattern: "^[0-9a-f]{32}$") { Self.isHex($0, 32) }

    package static let recordFormat = TextForm("the number of a format such as 2", pattern: "^[1-9][0-9]*$") {
        (Int($0) ?? 0) > 0 && !$0.hasPrefix("0") && !$0.hasPrefix("+")
    }

    /// A SHA-256 digest.
    package static let digest = TextForm("64 hexadecimal digits", pattern: "^[0-9a-f]{64}$") { Self.isHex($0, 64) }

    /// A SHA-256 digest, or nothing where there is nothing to digest.
    package static let digestOrNothing = TextForm("64 hexadecimal digits, or empty", pattern: "^([0-9a-f]{64})?$") {
        $0.isEmpty || Self.isHex($0, 64)
    }

    /// A prompt's id (R12).
    package static let promptID = TextForm(
        "the id of a prompt such as dinner-1/r/1",
        pattern: #"^[\s\S]*/[rch]/[0-9]+$"#
    ) { PromptID($0) != nil }

    package static let attempt = TextForm("Initial, Retry1, Retry2 …", pattern: #"^(Initial|Retry[1-9][0-9]*)$"#) {
        $0 == "Initial" || $0.hasPrefix("Retry") && (Int($0.dropFirst(5)) ?? 0) > 0
    }

    package static let position = TextForm(
        "a topic, partition and offset such as requests/0/17",
        pattern: "^(\(Topic.allCases.map(\.rawValue).joined(separator: "|")))/[0-9]+/[0-9]+$"
    ) { RecordPosition($0) != nil }

    /// The position of an interaction's request.
    package static let request = TextForm("a partition and offset such as 0:17", pattern: #"^[0-9]+:[0-9]+$"#) {
        RequestID($0).isPosition
    }

    /// The outcomes of an interaction's prompts, one letter each.
    package static let history = TextForm("letters a, s and e", pattern: "^[ase]+$") {
        !$0.isEmpty && $0.allSatisfy { Interaction.PastPrompt(rawValue: $0) != nil }
    }

    private static func isHex(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
