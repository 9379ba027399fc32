import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Payees of a payment")
struct PayeeTests {
    typealias Reason = INSendPaymentPayeeUnsupportedReason

    private func fixture() throws -> IntentFixture {
        try IntentFixture(PaymentsExtension.make(), "INSendPaymentIntent")
    }

    @Test("behaviours 19 and 38: a missing payee is asked for; a given one is matched")
    func asksForMissingPayeeAndMatches() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("payee", [:]) == [.needsValue])
        #expect(try await fixture.resolve("payee", ["payee": ["spokenPhrase": " "]]) == [.needsValue])
        let payee = try #require(try await fixture.resolve("payee", ["payee": "celestra"]).first?.value)
        #expect(payee["identifier"] == "celestra")
        #expect(payee["spokenPhrase"] == "celestra", "what was said stays")
        #expect(
            payee["handle"]?["value"] == "celestra@unicorn.example",
            "behaviour 87: filled in from the contacts"
        )
    }

    @Test("behaviours 17, 26 and 33: two Jeffs are offered, and the picked one is taken")
    func offersBothJeffs() async throws {
        let fixture = try self.fixture()
        let options = try #require(try await fixture.resolve("payee", ["payee": "Jeff"]).first?.options)
        #expect(options.map { $0["displayName"] } == ["Jeff Hoof", "Jeff Mane"])
        #expect(try await fixture.resolve("payee", ["payee": options[1]]) == [.success(options[1])])
    }

    @Test("behaviour 36: of two Jeffs the last payee comes first")
    func lastPayeeComesFirst() async throws {
        var fixture = try self.fixture()
        let amount: JSONValue = ["amount": "1.00", "currencyCode": "EUR"]
        func options() async throws -> [JSONValue?]? {
            try await fixture.resolve("payee", ["payee": "Jeff"]).first?.options?.map { $0["identifier"] }
        }
        let mane: JSONValue = ["identifier": "jeff-mane"]
        #expect(try await fixture.handle(["payee": mane, "currencyAmount": amount], as: "a").code == "success")
        #expect(try await options() == ["jeff-mane", "jeff-hoof"])
        fixture.now += 60
        let hoof: JSONValue = ["identifier": "jeff-hoof"]
        #expect(try await fixture.handle(["payee": hoof, "currencyAmount": amount], as: "b").code == "success")
        #expect(try await options() == ["jeff-hoof", "jeff-mane"])
    }

    @Test("behaviour 36, R16: the habit is read together with the contacts, so the journal holds it")
    func habitIsReadFromJournal() async throws {
        let fixture = try self.fixture()
        let host = TestTurnHost(store: fixture.store)
        let intent = IntentSnapshot(name: "INSendPaymentIntent", parameters: ["payee": "Jeff"])
        _ = try await fixture.registration.resolve("payee", intent, .testing(host))
        #expect(host.reads == ["contacts", "accounts"])
    }

    @Test(
        "Each reason for refusing a payee; an unknown name is unsupported (behaviour 26, R21)",
        arguments: [
            ("Nobody", Reason.noAccount), ("Ponyboy", .noAccount), ("Stardust", .credentialsUnverified),
            ("Handleless", .noValidHandle), ("Myself", .noAccount),
        ]
    )
    func refusesPayeeWithItsReason(name: String, reason: Reason) async throws {
        let fixture = try self.fixture()
        try fixture.change { store in
            let book = AddressBook(of: "u1")
            try book.add(Contact("Handleless", identifier: "handleless"), in: store)
            let own = INPersonHandle(value: "u1@unicorn.example", type: .emailAddress)
            try book.add(Contact("Myself", identifier: "myself", handles: [own]), in: store)
        }
        #expect(try await fixture.resolve("payee", ["payee": .string(name)]) == [.refused(reason)])
    }

    @Test("Insufficient funds for the given amount are a reason, too; another amount is checked again")
    func refusesPayeeForInsufficientFunds() async throws {
        let fixture = try self.fixture()
        func outcome(_ amount: String) async throws -> ResolutionOutcome? {
            let amount: JSONValue = ["amount": .string(amount), "currencyCode": "EUR"]
            return try await fixture.resolve("payee", ["payee": "Celestra", "currencyAmount": amount]).first
        }
        #expect(try await outcome("250.01") == .refused(Reason.insufficientFunds))
        #expect(try await outcome("250.00")?.value != nil)
        let payee = try #require(fixture.registration.parameters.first { $0.name == "payee" })
        #expect(payee.dependsOn == ["currencyAmount"], "R18")
    }

    @Test("An account that is closed and opened again is found only by its new addresses")
    func reopenedAccountHasNewAddressesOnly() async throws {
        let fixture = try self.fixture()
        func holder(_ address: String) throws -> String? {
            let handle = INPersonHandle(value: address, type: .emailAddress)
            return try fixture.store.write { try UnicornPay.account(withHandles: [handle], in: $0)?.userID }
        }
        #expect(try holder("celestra@unicorn.example") == "celestra")
        try fixture.change { store in
            try UnicornPay.closeAccount(of: "celestra", in: store)
            try UnicornPay.open(PaymentAccount(of: "celestra"), handles: ["celestra@barn.example"], in: store)
        }
        #expect(try holder("celestra@barn.example") == "celestra")
        #expect(try holder("celestra@unicorn.example") == nil)
    }

    @Test("behaviour 74: the same word means somebody else in another user's vocabulary")
    func vocabulariesBelongToOneUser() async throws {
        var fixture = try self.fixture()
        fixture.vocabularies[.contactName] = [VocabularyEntry(spokenPhrase: "boss", vocabularyIdentifier: "diana")]
        #expect(try await fixture.resolve("payee", ["payee": "Boss"]).first?.value?["identifier"] == "diana")
        fixture.vocabularies[.contactName] = [VocabularyEntry(spokenPhrase: "boss", vocabularyIdentifier: "scott")]
        #expect(try await fixture.resolve("payee", ["payee": "Boss"]).first?.value?["identifier"] == "scott")
        fixture.vocabularies = [:]
        #expect(try await fixture.resolve("payee", ["payee": "Boss"]) == [.refused(Reason.noAccount)])
    }

    @Test("behaviours 86 and 87: addresses are filled in with access to contacts, and hidden without")
    func contactsAccessDecidesOnAddresses() async throws {
        var fixture = try self.fixture()
        #expect(try await fixture.resolve("payee", ["payee": "Diana"]).first?.value?["handle"] != nil)
        fixture.user.hasContactsAccess = false
        let diana: JSONValue = ["spokenPhrase": "Diana", "identifier": "diana"]
        #expect(try await fixture.resolve("payee", ["payee": "Diana"]) == [.success(diana)])
    }
}
