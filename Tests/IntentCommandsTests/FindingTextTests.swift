import IntentAudit
import IntentEvents
import IntentKit
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Findings as people read them")
struct FindingTextTests {
    private static func finding(_ column: String, _ recorded: JSONValue, _ topics: JSONValue) -> AuditFinding {
        let about = InteractionReference(interactionID: "pay-1", userID: "ada", intent: "SendMoney")
        var finding = AuditFinding(.record, "events requests/5/2", "value differs from the topics.", about: about)
        finding.values = [.init(column: column, recorded: recorded, topics: topics)]
        return finding
    }

    @Test("An interaction's findings appear under its name, with both values in words")
    func groupsFindingsWithValuesInWords() throws {
        let finding = Self.finding("value", ["amount": ["value": "20.00"]], ["amount": ["value": "200.00"]])
        let group = try #require(FindingGroup.groups([finding]).first)
        let text = FindingText(masking: .revealed)
        #expect(text.heading(group) == "interaction pay-1 of ada, SendMoney: 1 finding")
        #expect(
            text.lines(group) == [
                "  amount.value: the records say 20.00, the topics say 200.00",
                "  record  events requests/5/2  value differs from the topics.",
            ]
        )
    }

    @Test("Findings that belong to no interaction are marked as such, and those beyond the limit are counted")
    func reportsFindingsOfNoInteractionAndCountsRest() throws {
        let findings = (1...3).map { AuditFinding(.chain, "journal/0/\($0)", "It breaks.") }
        let group = try #require(FindingGroup.groups(findings).first)
        let text = FindingText(masking: .revealed, limit: 2)
        #expect(text.heading(group) == "no interaction: 3 findings")
        #expect(text.lines(group).last == "  … and 1 more related findings (--limit, --json)")
    }

    @Test("R40: sensitive values are masked on both sides, in JSON and in free text; that they differ is still said")
    func masksSensitiveValuesOnBothSides() throws {
        let text = FindingText(masking: Masking(["SendMoney": ["card"]]))
        let event = Self.finding(
            "value",
            ["intent": ["name": "SendMoney", "parameters": ["card": "4111", "x": 1]]],
            ["intent": ["name": "SendMoney", "parameters": ["card": "4222", "x": 1]]]
        )
        for finding in [event, Self.finding("detail", "4111 is expired", "4222 is expired")] {
            let group = try #require(FindingGroup.groups([finding]).first)
            let lines = text.lines(group).joined(separator: "\n") + text.json(finding).description
            #expect(!lines.contains("4111") && !lines.contains("4222"), "\(lines)")
            #expect(lines.contains("the records say •••, the topics say •••"), "\(lines)")
        }
        let code = try #require(FindingGroup.groups([Self.finding("code", "success", "failure")]).first)
        #expect(text.lines(code).first == "  code: the records say success, the topics say failure")
    }
}
