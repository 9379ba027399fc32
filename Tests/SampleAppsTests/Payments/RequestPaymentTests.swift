import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Requesting a payment")
struct RequestPaymentTests {
    typealias Reason = INRequestPaymentCurrencyAmountUnsupportedReason

    static let request: JSONObject = [
        "payer": ["identifier": "diana", "spokenPhrase": "Diana"],
        "currencyAmount": ["amount": "20.00", "currencyCode": "EUR"], "note": "hay",
    ]

    private func fixture() throws -> IntentFixture {
        try IntentFixture(PaymentsExtension.make(), "INRequestPaymentIntent")
    }

    @Test(
        "Each reason for refusing a payer",
        arguments: [
            ("Nobody", INRequestPaymentPayerUnsupportedReason.noAccount), ("Ponyboy", .noAccount),
            ("Stardust", .credentialsUnverified), ("Handleless", .noValidHandle),
        ]
    )
    func refusesPayerWithItsReason(name: String, reason: INRequestPaymentPayerUnsupportedReason) async throws {
        let fixture = try self.fixture()
        try fixture.change { store in
            try AddressBook(of: "u1").add(Contact("Handleless", identifier: "handleless"), in: store)
        }
        #expect(try await fixture.resolve("payer", ["payer": .string(name)]) == [.refused(reason)])
        #expect(try await fixture.resolve("payer", [:]) == [.needsValue])
        #expect(try await fixture.resolve("payer", ["payer": "Jeff"]).first?.options?.count == 2)
    }

    @Test("behaviour 20: each reason for refusing an amount; the limits are the payer's affair")
    func refusesAmountWithItsReason() async throws {
        let fixture = try self.fixture()
        func outcome(_ amount: String, _ code: String = "EUR") async throws -> ResolutionOutcome? {
            let amount: JSONValue = ["amount": .string(amount), "currencyCode": .string(code)]
            return try await fixture.resolve("currencyAmount", ["currencyAmount": amount]).first
        }
        #expect(try await outcome("20", "CHF") == .refused(Reason.paymentsCurrencyUnsupported))
        #expect(try await outcome("0.99") == .refused(Reason.paymentsAmountBelowMinimum))
        #expect(try await outcome("5000.01") == .refused(Reason.paymentsAmountAboveMaximum))
        #expect(try await outcome("5000.00")?.value != nil)
        #expect(try await fixture.resolve("currencyAmount", [:]) == [.needsValue])
    }

    @Test("behaviours 35, 39 and 44: the user sees payer, amount and note, and nothing is requested yet")
    func confirmShowsRequestWithoutMakingIt() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.confirm(Self.request)
        #expect(response.code == "ready" && response.requiresUserConfirmation)
        #expect(Set(response.details.keys) == ["payer", "currencyAmount", "note"])
        #expect(try fixture.store.query("SELECT * FROM payments WHERE payee = 'u1'").isEmpty)
    }

    @Test(
        "behaviours 57 and 59: a request is recorded as pending, moves no money, and is offered to its payer"
    )
    func requestIsPendingAndOfferedToPayer() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.handle(Self.request)
        #expect(response.code == "success")
        let record = try #require(response.details["paymentRecord"].flatMap(INPaymentRecord.init(json:)))
        #expect(record.status == .pending && record.payer?.identifier == "diana" && record.note == "hay")
        let rows = try fixture.store.query("SELECT * FROM payments WHERE payee = 'u1'")
        #expect(rows.map { $0["status"] } == ["pending"])
        #expect(try fixture.store.write { try UnicornPay.balance(of: "diana", in: "EUR", $0).minorUnits } == 25_000)
        var diana = try IntentFixture(PaymentsExtension.make(), "INSendPaymentIntent", store: fixture.store)
        diana.user = RequestingUser(id: "diana")
        try fixture.change { store in
            let handle = INPersonHandle(value: "u1@unicorn.example", type: .emailAddress)
            try AddressBook(of: "diana").add(Contact("You", identifier: "you", handles: [handle]), in: store)
        }
        let offered = try await diana.resolve("currencyAmount", ["payee": "You"])
        #expect(offered == [.confirmationRequired(["amount": "20.00", "currencyCode": "EUR"], nil)])
    }

    @Test("Each code about the user's account, at confirm and at handle", arguments: ConfirmPaymentTests.accounts)
    func reportsStateOfAccount(account: PaymentAccount?, code: String) async throws {
        let fixture = try self.fixture()
        try fixture.change { store in
            try UnicornPay.closeAccount(of: "u1", in: store)
            if let account { try UnicornPay.open(account, in: store) }
        }
        #expect(try await fixture.confirm(Self.request).code == code)
        #expect(try await fixture.handle(Self.request).code == code)
        #expect(try fixture.store.query("SELECT * FROM payments WHERE payee = 'u1'").isEmpty)
    }

    @Test("Each code about the amount, when the bounds have changed since it was resolved")
    func reportsAmountOutsideChangedBounds() async throws {
        let fixture = try self.fixture()
        try fixture.change { try UnicornPay.offer(PaymentCurrency("EUR", minimum: 2_001, maximum: 9_000), in: $0) }
        #expect(try await fixture.confirm(Self.request).code == "failurePaymentsAmountBelowMinimum")
        try fixture.change { try UnicornPay.offer(PaymentCurrency("EUR", minimum: 1, maximum: 1_999), in: $0) }
        #expect(try await fixture.confirm(Self.request).code == "failurePaymentsAmountAboveMaximum")
        try fixture.change { try UnicornPay.withdraw("EUR", in: $0) }
        #expect(try await fixture.confirm(Self.request).code == "failurePaymentsCurrencyUnsupported")
    }

    @Test("behaviours 48 and 52: no payer, no amount, or a payer without an account is a failure")
    func incompleteRequestFails() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.handle([:]).code == "failure")
        #expect(try await fixture.handle(["payer": "Diana"]).code == "failure")
        try fixture.change { try UnicornPay.closeAccount(of: "diana", in: $0) }
        #expect(try await fixture.confirm(Self.request).details["error"] == "payerUnavailable")
        var stranger = fixture
        stranger.user.isAuthenticated = false
        #expect(try await stranger.confirm(Self.request).requiresAuthentication)
    }
}
