import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Contacts of a call")
struct CallContactTests {
    typealias Reason = INStartCallContactUnsupportedReason

    private func fixture() throws -> IntentFixture { try IntentFixture(CallsExtension.make(), "INStartCallIntent") }

    @Test("behaviours 24 and 26: one result for each contact; several matches are offered, none is unsupported")
    func resolvesEachContact() async throws {
        var line = CallLine()
        line.takesGroupCalls = true
        let fixture = try self.fixture()
        try fixture.change { [line] in try UnicornTalk.set(line, of: "u1", in: $0) }
        let outcomes = try await fixture.resolve("contacts", ["contacts": ["Celestra", "Jeff", "Nobody"]])
        try #require(outcomes.count == 3)
        #expect(outcomes[0].value?["handle"]?["value"] == "celestra@unicorn.example", "behaviour 87")
        #expect(outcomes[2] == .refused(Reason.noContactFound))
        let names = outcomes[1].options?.map { $0["displayName"] }
        #expect(names == ["Jeff Mane", "Jeff Hoof"], "behaviour 36: Jeff Mane called last")
    }

    @Test("behaviours 25 and 28: without contacts a single needsValue; voicemail and emergencies need none")
    func asksForContactUnlessDestinationNeedsNone() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("contacts", [:]) == [.needsValue])
        #expect(try await fixture.resolve("contacts", ["contacts": []]) == [.needsValue])
        #expect(try await fixture.resolve("contacts", ["destinationType": "voicemail"]) == [.notRequired])
        #expect(try await fixture.resolve("contacts", ["destinationType": "emergency"]) == [.notRequired])
    }

    @Test(
        "Each reason for refusing a contact",
        arguments: [
            (["spokenPhrase": "Nobody"], .noContactFound),
            (["spokenPhrase": "Sparkle", "handle": ["label": "moon"]], .noHandleForLabel),
            (["spokenPhrase": "Sparkle", "handle": ["value": "x@y"]], .invalidHandle),
            (["spokenPhrase": "12"], .invalidHandle),
            (["spokenPhrase": "1234567890123456"], .invalidHandle),
            (["spokenPhrase": "*100#"], .unsupportedMmiUssd),
            (["handle": ["value": "#31# "]], .unsupportedMmiUssd),
            (["spokenPhrase": "Handleless"], .invalidHandle),
        ] as [(JSONValue, INStartCallContactUnsupportedReason)]
    )
    func refusesContactWithItsReason(person: JSONValue, reason: Reason) async throws {
        let fixture = try self.fixture()
        try fixture.change { try AddressBook(of: "u1").add(Contact("Handleless", identifier: "handleless"), in: $0) }
        #expect(try await fixture.resolve("contacts", ["contacts": .array([person])]) == [.refused(reason)])
    }

    @Test("Only one contact at a time, unless the line takes more")
    func refusesSeveralContactsUnlessLineTakesThem() async throws {
        let fixture = try self.fixture()
        let both: JSONObject = ["contacts": ["Diana", "Scott"]]
        let outcomes = try await fixture.resolve("contacts", both)
        #expect(outcomes.first?.value != nil)
        #expect(outcomes.last == .refused(Reason.multipleContactsUnsupported))
    }

    @Test("A number in the address book belongs to its contact; any other is called as it is")
    func numberBelongsToContactOrIsCalled() async throws {
        let fixture = try self.fixture()
        let known = try await fixture.resolve("contacts", ["contacts": ["+1 555 0100"]])
        #expect(known.first?.value?["identifier"] == "sparkle")
        let unknown = try await fixture.resolve("contacts", ["contacts": ["+1 (555) 0142"]])
        #expect(unknown.first?.value?["handle"]?["value"] == "+1 (555) 0142")
        #expect(unknown.first?.value?["handle"]?["type"] == "phoneNumber")
    }

    @Test("The address with the given label is called")
    func callsAddressOfGivenLabel() async throws {
        let person: JSONValue = ["spokenPhrase": "Sparkle", "handle": ["label": "work"]]
        let outcomes = try await self.fixture().resolve("contacts", ["contacts": .array([person])])
        #expect(outcomes.first?.value?["handle"]?["value"] == "+1 555 0100")
    }

    @Test("behaviours 15 and 36: redialling calls the contact that was called last")
    func redialsLastCalledContact() async throws {
        let fixture = try self.fixture()
        let redial: JSONObject = ["destinationType": "redial"]
        #expect(try await fixture.resolve("contacts", redial).first?.value?["identifier"] == "diana")
        try fixture.change { store in
            let hidden = INCallRecord(
                identifier: "hidden",
                dateCreated: OffsetDateTime("2026-11-20T00:00:00Z"),
                participants: [INPerson(spokenPhrase: "Unknown")],
                callRecordType: .outgoing
            )
            try CallLog.add(hidden, of: "u1", in: store)
        }
        #expect(try await fixture.resolve("contacts", redial) == [.refused(Reason.noUsableHandleForRedial)])
        try fixture.change { try $0.execute("DELETE FROM calls WHERE call_type = 'outgoing'", []) }
        #expect(try await fixture.resolve("contacts", redial) == [.refused(Reason.noCallHistoryForRedial)])
    }

    @Test("behaviour 86: without access to contacts only the words count, and no address is shown")
    func keepsOnlyWordsWithoutContactsAccess() async throws {
        var fixture = try self.fixture()
        fixture.user.hasContactsAccess = false
        let diana: JSONValue = ["spokenPhrase": "Diana", "identifier": "diana"]
        #expect(try await fixture.resolve("contacts", ["contacts": ["Diana"]]) == [.success(diana)])
        #expect(try await fixture.resolve("contacts", ["destinationType": "redial"]) == [.success(diana)])
    }
}
