import IntentEvents
import IntentRuntime
import Testing
import WireDocuments
import WireRules

@Suite("The rules of events")
struct EventRuleTests {
    @Test("The record's format is a header of what intentd writes for itself, and of nothing that clients write")
    func onlyOwnEventsHaveFormatHeader() {
        for rule in EventRule.all {
            let mayHaveFormat = !rule.type.isInbound && rule.topics.contains(where: \.hasFormat)
            #expect((rule.headers[RecordFormats.header] != nil) == mayHaveFormat, "\(rule.type)")
            #expect(rule.structured[RecordFormats.header] == nil, "\(rule.type)")
        }
        #expect(EventRule.all.contains { $0.headers[RecordFormats.header] != nil })
    }

    @Test("Each attribute has a header, and each type a rule")
    func attributesHaveHeadersAndTypesRules() {
        #expect(EventRule.all.map(\.type) == EventType.allCases)
        for rule in EventRule.all {
            for attribute in rule.attributes.members {
                let header = rule.headers[EventHeaderName.header(ofAttribute: attribute.name)]
                #expect(header?.isRequired == attribute.isRequired, "\(rule.type) \(attribute.name)")
            }
        }
    }
}
