import IntentEvents
import IntentKit
import IntentLab
import Testing
import WireDocuments
import WireRules

@testable import IntentRuntime

@Suite("The members of clients' events that are read (R79a)")
struct InboundMembersTests {
    /// The object that a value may be.
    private static func object(in rule: ValueRule) -> ObjectRule? {
        switch rule {
        case .object(let rule): rule
        case .orNull(let rule), .shared(_, let rule): Self.object(in: rule)
        case .either(let rules): rules.lazy.compactMap(Self.object).first
        case .any, .text, .choice, .boolean, .integer, .number, .map, .list: nil
        }
    }

    /// The object that the elements of a list may be.
    private static func element(in rule: ValueRule) -> ObjectRule? {
        guard case .list(let element) = rule else { return nil }
        return Self.object(in: element)
    }

    private static func inner(_ name: String, _ all: [InboundMembers.Inner]) -> InboundMembers? {
        all.first { "\($0.name)" == name }?.members
    }

    private static func compare(_ members: InboundMembers?, with rule: ObjectRule?, at path: String) {
        #expect((members == nil) == (rule == nil), "\(path)")
        guard let members, let rule else { return }
        #expect(Set(members.names.map { "\($0)" }) == Set(rule.members.map(\.name)), "\(path)")
        for member in rule.members {
            let path = "\(path).\(member.name)"
            Self.compare(Self.inner(member.name, members.objects), with: Self.object(in: member.value), at: path)
            Self.compare(Self.inner(member.name, members.lists), with: Self.element(in: member.value), at: path)
        }
    }

    @Test("The table names the members that the wire rules name", arguments: EventType.allCases)
    func tableIsTheWireRules(type: EventType) {
        Self.compare(InboundMembers.of(type), with: type.isInbound ? EventRule.of(type).data : nil, at: type.rawValue)
    }

    /// The mistakes in the data of a request, and in its headers.
    private static func mistakes(
        _ data: String,
        _ type: EventType = .intentRequested,
        headers: [LogHeader] = []
    ) throws -> [ClientMistake] {
        var mistakes: [ClientMistake] = []
        let content = RecordContent(key: nil, value: Array(data.utf8), headers: headers)
        try Array(data.utf8)
            .withUnsafeBufferPointer { text in
                try JSONTape.withView(of: text) { json in
                    mistakes = InboundMembers.mistakes(in: json, content, type, eventID: "e1")
                }
            }
        return mistakes
    }

    @Test(
        "A member is named by its path",
        arguments: [
            (#"{"intent":{"name":"A","params":{}}}"#, "intent.params", "parameters"),
            (#"{"usr":{}}"#, "usr", "user"),
            (#"{"presentation":{"maximumSize":{"widht":1}}}"#, "presentation.maximumSize.widht", "width"),
            (#"{"device":{"frobnicate":1}}"#, "device.frobnicate", nil),
            (#"{"\u0075sr":{}}"#, "usr", "user"),
        ] as [(String, String, String?)]
    )
    func namesMemberByPath(data: String, member: String, didYouMean: String?) throws {
        let mistakes = try Self.mistakes(data)
        #expect(mistakes.map(\.member) == [member])
        #expect(mistakes.map(\.problem) == [.unknownMember])
        #expect(mistakes.first?.didYouMean == didYouMean)
    }

    @Test("A member of a vocabulary's term is named with the term's index")
    func namesMemberOfTerm() throws {
        let data = #"{"type":"contactName","strings":["Ann",{"spokenPhrase":"Jo","id":"1"}]}"#
        #expect(try Self.mistakes(data, .vocabularyReplaced).map(\.member) == ["strings.1.id"])
    }

    @Test(
        "A client's own members are no mistake, and neither is anything inside values (R79d)",
        arguments: [
            #"{"x-trace":1,"acme.channel":1,"acme:channel":1,"user":{"x-y":1}}"#,
            #"{"intent":{"name":"A","parameters":{"params":{"params":1}}}}"#, "{}", "[]",
        ]
    )
    func ownMembersAreNoMistake(data: String) throws {
        #expect(try Self.mistakes(data).isEmpty)
    }

    @Test("Names are cut and on one line, and ten of an event are named")
    func hostileNamesAreCut() throws {
        let long = String(repeating: "n", count: 10_000)
        let members = (0..<100_000).map { #""\n\#($0)":1"# }.joined(separator: ",")
        let mistakes = try Self.mistakes(#"{"\#(long)":1,\#(members)}"#)
        #expect(mistakes.count == 10)
        #expect(mistakes.allSatisfy { $0.member.utf8.count <= 128 && !$0.member.contains("\n") })
        #expect(mistakes.allSatisfy { $0.didYouMean == nil })
    }

    @Test(
        "An attribute is named if it is nearly one that is read",
        arguments: [
            ("ce_userId", "ce_userid"), ("ce_sujbect", "ce_subject"), ("ce-time", "ce_time"), ("CE_id", "ce_id"),
            ("ce_userid", nil), ("ce_stage", nil), ("ce_uid", nil), ("ce_tenant", nil), ("traceParent", nil),
            ("ce_", nil), ("c", nil),
        ] as [(String, String?)]
    )
    func namesAlmostKnownAttributes(name: String, meant: String?) throws {
        let mistakes = try Self.mistakes("{}", headers: [LogHeader(name, "1")])
        #expect(mistakes.map(\.member) == (meant == nil ? [] : [name]))
        #expect(mistakes.first?.didYouMean == meant)
        #expect(mistakes.allSatisfy { $0.problem == .unknownAttribute })
    }

    @Test("The attributes of a structured event are members")
    func namesAttributesOfStructuredEvents() throws {
        let text = #"{"type":"intent.requested","userId":"u1","tenant":"t","data":{"intent":{"name":"A"}}}"#
        let content = RecordContent(
            key: nil,
            value: Array(text.utf8),
            headers: [LogHeader("content-type", "application/cloudevents+json")]
        )
        let mistakes = InboundAttributes.mistakes(in: content, eventID: "e1")
        #expect(mistakes.map(\.member) == ["userId"])
        #expect(mistakes.first?.didYouMean == "userid")
    }

    @Test("The words say what is not read, and what was probably meant")
    func wordsSayWhatIsMeant() {
        let known = ["name", "parameters"]
        let member = ClientMistake("params", in: "intent", .unknownMember, known: known, eventID: "e1")
        #expect(member.detail(intent: "A") == "intent.params is not read; did you mean parameters?")
        let other = ClientMistake("frobnicate", .unknownMember, known: known, eventID: "e1")
        #expect(other.detail(intent: nil) == "frobnicate is not read.")
        for path in [ClientMistake.parameters, ClientMistake.corrections] {
            let parameter = ClientMistake("tiem", in: path, .unknownParameter, known: ["time"], eventID: "e1")
            #expect(parameter.detail(intent: "BookTable") == "BookTable has no parameter tiem; did you mean time?")
        }
        let ignored = ClientMistake("choice", .ignoredMember, eventID: "e1")
        #expect(ignored.detail(intent: nil) == "choice has no effect here.")
        #expect(ClientMistake(json: member.journaled, eventID: "e1") == member)
        #expect(ClientMistake(json: member.json) == member)
        #expect(ClientMistake(json: member.warning(intent: nil)) == member)
    }
}
