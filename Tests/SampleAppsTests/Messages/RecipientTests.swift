import DeclaredIntents
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Recipients of a message")
struct RecipientTests {
    let sparkle: JSONValue = [
        "displayName": "Sparkle Sparkly", "identifier": "sparkle", "spokenPhrase": "sparkle",
        "handle": ["value": "sparkle@unicorn.example", "type": "emailAddress", "label": "home"],
    ]

    private func reason(_ reason: INSendMessageRecipientUnsupportedReason) -> ResolutionOutcome {
        .unsupported(ReasonDescription(reason))
    }

    @Test("R20, behaviours 24 and 26: one result for each recipient, in the same order")
    func resolvesEachRecipientInOrder() async throws {
        let fixture = try MessagesFixture()
        let outcomes = try await fixture.resolve("recipients", ["recipients": ["sparkle", "Jeff", "Nobody"]])
        try #require(outcomes.count == 3)
        #expect(outcomes[0] == .success(self.sparkle))
        guard case .disambiguation(let options) = outcomes[1] else {
            Issue.record("two Jeffs are a choice, not \(outcomes[1])")
            return
        }
        #expect(options.map { $0.value["displayName"] } == ["Jeff Hoof", "Jeff Mane"])
        #expect(outcomes[2] == self.reason(.noAccount))
    }

    @Test("behaviour 33: the Jeff that the user picked is found by identifier")
    func findsPickedJeffByIdentifier() async throws {
        let fixture = try MessagesFixture()
        let first = try await fixture.resolve("recipients", ["recipients": ["jeff"]])
        guard case .disambiguation(let options) = first.first else {
            Issue.record("two Jeffs are a choice")
            return
        }
        let picked = options[1].value
        let second = try await fixture.resolve("recipients", ["recipients": .array([picked])])
        #expect(second == [.success(picked)])
        // The one that was picked, also where another has the very same name and address.
        try fixture.store.write { store in
            let handle = INPersonHandle(value: "jeff.mane@unicorn.example", type: .emailAddress)
            try AddressBook(of: "u1").add(Contact("Jeff Mane", identifier: "other-jeff", handles: [handle]), in: store)
        }
        #expect(try await fixture.resolve("recipients", ["recipients": .array([picked])]) == second)
    }

    @Test(
        "behaviours 25 and 28: without recipients a single needsValue",
        arguments: [[:], ["recipients": []]] as [JSONObject]
    )
    func asksForMissingRecipients(parameters: JSONObject) async throws {
        let fixture = try MessagesFixture()
        #expect(try await fixture.resolve("recipients", parameters) == [.needsValue])
    }

    @Test("behaviours 22 and 25: with a group recipients are not required")
    func groupReplacesRecipients() async throws {
        let fixture = try MessagesFixture()
        let outcomes = try await fixture.resolve("recipients", ["speakableGroupName": "neighbors"])
        #expect(outcomes == [.notRequired])
        let recipients = try #require(fixture.registration.parameters.first { $0.name == "recipients" })
        #expect(recipients.dependsOn == ["speakableGroupName"], "R18: another group has them resolved again")
    }

    @Test("R25: case, accents and spacing make no difference", arguments: ["SPARKLE sparkly", "Spárkle", "  sparkly "])
    func ignoresCaseAccentsAndSpacing(name: String) async throws {
        let fixture = try MessagesFixture()
        guard
            case .success(let person)? = try await fixture.resolve("recipients", ["recipients": [.string(name)]]).first
        else {
            Issue.record("\(name) is not found")
            return
        }
        #expect(person["identifier"] == "sparkle")
    }

    @Test("A whole name comes before names that contain it")
    func wholeNameComesBeforePartialOnes() async throws {
        let fixture = try MessagesFixture()
        try fixture.store.write { store in
            try AddressBook(of: "u1")
                .add(
                    Contact("Jeff", identifier: "jeff", handles: [INPersonHandle(value: "j@x", type: .emailAddress)]),
                    in: store
                )
        }
        guard case .success(let person)? = try await fixture.resolve("recipients", ["recipients": ["jeff"]]).first
        else {
            Issue.record("Jeff is not found")
            return
        }
        #expect(person["identifier"] == "jeff")
    }

    @Test("Part of a word is not a name: eff is nobody", arguments: ["eff", "Jef", "", "Jeff Sparkly"])
    func partOfWordIsNoName(name: String) async throws {
        let fixture = try MessagesFixture()
        let outcomes = try await fixture.resolve("recipients", ["recipients": [.string(name), "Diana"]])
        #expect(outcomes.first == self.reason(.noAccount))
    }

    @Test("Another user's contacts are never found")
    func neverFindsOthersContacts() async throws {
        var fixture = try MessagesFixture()
        fixture.user = RequestingUser(id: "u2")
        #expect(try await fixture.resolve("recipients", ["recipients": ["Sparkle"]]) == [self.reason(.noAccount)])
        let person: JSONValue = ["identifier": "sparkle"]
        #expect(try await fixture.resolve("recipients", ["recipients": [person]]) == [self.reason(.noAccount)])
    }

    @Test(
        "Each reason why a message cannot reach a recipient",
        arguments: [
            ("Ponyboy", INSendMessageRecipientUnsupportedReason.noAccount),
            ("Stardust", .offline),
            ("Quiet", .messagingServiceNotEnabledForRecipient),
            ("Handleless", .noValidHandle),
        ]
    )
    func refusesUnreachableRecipientWithReason(name: String, expected: INSendMessageRecipientUnsupportedReason)
        async throws
    {
        let fixture = try MessagesFixture()
        let handle = INPersonHandle(value: "q@x", type: .emailAddress)
        try fixture.store.write { store in
            let book = AddressBook(of: "u1")
            try book.add(Contact("Quiet", identifier: "quiet", handles: [handle], takesMessages: false), in: store)
            try book.add(Contact("Handleless", identifier: "handleless"), in: store)
        }
        let outcomes = try await fixture.resolve("recipients", ["recipients": [.string(name)]])
        #expect(outcomes == [self.reason(expected)])
    }

    @Test("behaviour 87: the given address is checked and used, by value or by label")
    func usesGivenAddressOrLabel() async throws {
        let fixture = try MessagesFixture()
        func outcome(_ handle: JSONValue) async throws -> ResolutionOutcome? {
            let person: JSONValue = ["spokenPhrase": "Sparkle", "handle": handle]
            return try await fixture.resolve("recipients", ["recipients": [person]]).first
        }
        guard case .success(let atWork)? = try await outcome(["label": "Work"]) else {
            Issue.record("Sparkle has an address at work")
            return
        }
        #expect(atWork["handle"]?["value"] == "+1 555 0100")
        #expect(try await outcome(["label": "moon"]) == self.reason(.noHandleForLabel))
        #expect(try await outcome(["value": "x@y"]) == self.reason(.requestedHandleInvalid))
        guard case .success(let byValue)? = try await outcome(["value": "+15550100"]) else {
            Issue.record("spacing makes no difference in a number")
            return
        }
        #expect(byValue["handle"]?["label"] == "work")
    }

    @Test("A person without a name is found by address")
    func findsPersonByAddress() async throws {
        let fixture = try MessagesFixture()
        let person: JSONValue = ["handle": ["value": "jeff.mane@unicorn.example"]]
        guard case .success(let found)? = try await fixture.resolve("recipients", ["recipients": [person]]).first
        else {
            Issue.record("the address is Jeff Mane's")
            return
        }
        #expect(found["identifier"] == "jeff-mane")
    }

    @Test("R25: the user's own words come before the address book")
    func vocabularyComesBeforeAddressBook() async throws {
        var fixture = try MessagesFixture()
        fixture.vocabularies[.contactName] = [
            VocabularyEntry(spokenPhrase: "Jeff", vocabularyIdentifier: "jeff-mane"),
            VocabularyEntry(spokenPhrase: "Sparks", pronunciationHint: "sparx", vocabularyIdentifier: "sparkle"),
        ]
        let outcomes = try await fixture.resolve("recipients", ["recipients": ["jeff", "SPARX", "Diana"]])
        let identifiers = outcomes.map { outcome -> JSONValue? in
            guard case .success(let person) = outcome else { return nil }
            return person["identifier"]
        }
        #expect(identifiers == ["jeff-mane", "sparkle", "diana"])
    }

    @Test("A term whose contact is gone falls back to the address book")
    func staleTermFallsBackToAddressBook() async throws {
        var fixture = try MessagesFixture()
        fixture.vocabularies[.contactName] = [VocabularyEntry(spokenPhrase: "Diana", vocabularyIdentifier: "gone")]
        guard case .success(let person)? = try await fixture.resolve("recipients", ["recipients": ["Diana"]]).first
        else {
            Issue.record("Diana is in the address book")
            return
        }
        #expect(person["identifier"] == "diana")
    }

    @Test("R25, behaviour 86: without access to contacts only the words count, and no address is shown")
    func keepsOnlyWordsWithoutContactsAccess() async throws {
        var fixture = try MessagesFixture()
        fixture.user.hasContactsAccess = false
        let person: JSONValue = [
            "spokenPhrase": "jeff", "displayName": "Diana", "handle": ["value": "jeff.hoof@unicorn.example"],
        ]
        let hoof: JSONValue = ["spokenPhrase": "Jeff Hoof", "identifier": "jeff-hoof"]
        let mane: JSONValue = ["spokenPhrase": "Jeff Mane", "identifier": "jeff-mane"]
        #expect(try await fixture.resolve("recipients", ["recipients": [person]]) == [.choosing(among: [hoof, mane])])
        #expect(try await fixture.resolve("recipients", ["recipients": [mane]]) == [.success(mane)])
        #expect(try await fixture.resolve("recipients", ["recipients": ["Jeff Mane"]]) == [.success(mane)])
        let nameless: JSONValue = ["displayName": "Diana"]
        #expect(try await fixture.resolve("recipients", ["recipients": [nameless]]) == [self.reason(.noAccount)])
    }

    @Test("A thousand recipients are looked up in one read")
    func looksUpManyRecipientsInOneRead() async throws {
        let fixture = try MessagesFixture()
        let host = TestTurnHost(store: fixture.store)
        let people = JSONValue.array(Array(repeating: "Diana", count: 1_000))
        let intent = IntentSnapshot(name: "INSendMessageIntent", parameters: ["recipients": people])
        let outcome = try await fixture.registration.resolve("recipients", intent, .testing(host))
        guard case .perValue(let outcomes)? = outcome else {
            Issue.record("a list has one result for each value")
            return
        }
        #expect(outcomes.count == 1_000)
        #expect(host.reads == ["contacts"])
    }
}
