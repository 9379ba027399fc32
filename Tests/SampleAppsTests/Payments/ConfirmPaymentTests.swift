import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Confirming a payment")
struct ConfirmPaymentTests {
    static let payment: JSONObject = [
        "payee": ["identifier": "celestra", "spokenPhrase": "Celestra"],
        "currencyAmount": ["amount": "20.00", "currencyCode": "EUR"], "note": "hay",
    ]

    private func fixture() throws -> IntentFixture {
        try IntentFixture(PaymentsExtension.make(), "INSendPaymentIntent")
    }

    private func euros(_ text: String) -> JSONValue { ["amount": .string(text), "currencyCode": "EUR"] }

    @Test(
        "behaviours 35, 39 and 44: the user sees payee, amount, note, fee and the balance after it, and nothing is paid"
    )
    func confirmShowsPaymentWithoutPaying() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.confirm(Self.payment)
        #expect(response.code == "ready")
        #expect(response.requiresUserConfirmation)
        #expect(response.details["payee"]?["displayName"] == "Celestra")
        #expect(response.details["currencyAmount"] == self.euros("20.00"))
        #expect(response.details["note"] == "hay")
        #expect(response.details["feeAmount"] == self.euros("0.00"))
        #expect(response.details["balanceAfter"] == self.euros("230.00"))
        #expect(response.details["paymentMethod"]?["identificationHint"] == "4711")
        #expect(try fixture.store.query("SELECT * FROM payments WHERE kind = 'payment'").isEmpty)
        let balance = try fixture.store.write { try UnicornPay.balance(of: "u1", in: "EUR", $0) }
        #expect(balance.minorUnits == 25_000)
    }

    @Test("A payment in dollars shows its fee, and the balance after both")
    func showsFeeAndBalanceAfterIt() async throws {
        var payment = Self.payment
        payment["currencyAmount"] = ["amount": "20.00", "currencyCode": "USD"]
        let response = try await self.fixture().confirm(payment)
        #expect(response.details["feeAmount"] == ["amount": "0.35", "currencyCode": "USD"])
        #expect(response.details["balanceAfter"] == ["amount": "79.65", "currencyCode": "USD"])
    }

    @Test("behaviours 45 and 84: payments are always confirmed and locked, whatever the registration says")
    func paymentsAreAlwaysConfirmedAndLocked() throws {
        for name in ["INSendPaymentIntent", "INRequestPaymentIntent"] {
            let registry = try IntentRegistry([PaymentsExtension.make()])
            let entry = try #require(registry[name])
            #expect(entry.isRestrictedWhileLocked, "R26")
            #expect(entry.registration.effectiveConfirmation == .always, "R29")
            var relaxed = entry.registration
            relaxed.confirmation = .never
            #expect(relaxed.effectiveConfirmation == .always)
        }
    }

    @Test("R26: a user who is not signed in is asked to sign in")
    func requiresSignIn() async throws {
        var fixture = try self.fixture()
        fixture.user.isAuthenticated = false
        #expect(try await fixture.confirm(Self.payment).requiresAuthentication)
    }

    static let accounts: [(PaymentAccount?, String)] = [
        (nil, "failureRequiringAppLaunch"),
        (PaymentAccount(of: "u1", isEligible: false), "failureNotEligible"),
        (PaymentAccount(of: "u1", hasVerifiedCredentials: false), "failureCredentialsUnverified"),
        (PaymentAccount(of: "u1", hasAcceptedTerms: false), "failureTermsAndConditionsAcceptanceRequired"),
        (PaymentAccount(of: "u1", hasBankAccount: false), "failureNoBankAccount"),
    ]

    @Test("Each code about the user's account, at confirm and at handle (behaviour 66)", arguments: Self.accounts)
    func reportsStateOfAccount(account: PaymentAccount?, code: String) async throws {
        let fixture = try self.fixture()
        try fixture.change { store in
            try UnicornPay.closeAccount(of: "u1", in: store)
            if let account { try UnicornPay.open(account, in: store) }
        }
        let response = try await fixture.confirm(Self.payment)
        #expect(response.code == code)
        #expect(response.userActivity?.userInfo["error"] != nil, "the app is told what is wrong")
        #expect(try await fixture.handle(Self.payment).code == code)
        #expect(try fixture.store.query("SELECT * FROM payments WHERE kind = 'payment'").isEmpty)
    }

    @Test("Each code about the amount, when the bounds have changed since it was resolved")
    func reportsAmountOutsideChangedBounds() async throws {
        let fixture = try self.fixture()
        try fixture.change { try UnicornPay.offer(PaymentCurrency("EUR", minimum: 2_001, maximum: 9_000), in: $0) }
        let low = try await fixture.confirm(Self.payment)
        #expect(low.code == "failurePaymentsAmountBelowMinimum")
        #expect(low.details["minimum"] == self.euros("20.01"))
        try fixture.change { try UnicornPay.offer(PaymentCurrency("EUR", minimum: 1, maximum: 1_999), in: $0) }
        let high = try await fixture.confirm(Self.payment)
        #expect(high.code == "failurePaymentsAmountAboveMaximum")
        #expect(high.details["maximum"] == self.euros("19.99"))
        try fixture.change { try UnicornPay.withdraw("EUR", in: $0) }
        #expect(try await fixture.confirm(Self.payment).code == "failurePaymentsCurrencyUnsupported")
    }

    @Test("behaviours 42 and 48: insufficient funds for amount and fee at confirm")
    func insufficientFundsForAmountAndFee() async throws {
        let fixture = try self.fixture()
        var payment = Self.payment
        payment["currencyAmount"] = ["amount": "99.90", "currencyCode": "USD"]
        #expect(try await fixture.resolve("payee", payment).first?.value != nil, "the amount alone is there")
        let response = try await fixture.confirm(payment)
        #expect(response.code == "failureInsufficientFunds")
        #expect(response.details["balance"] == ["amount": "100.00", "currencyCode": "USD"])
        #expect(response.details["feeAmount"] == ["amount": "0.75", "currencyCode": "USD"])
    }

    @Test("The payee's account was closed after it was resolved")
    func failsWhenPayeesAccountIsGone() async throws {
        let fixture = try self.fixture()
        try fixture.change { try UnicornPay.closeAccount(of: "celestra", in: $0) }
        let response = try await fixture.confirm(Self.payment)
        #expect(response.code == "failure")
        #expect(response.details["error"] == "payeeUnavailable")
    }

    @Test(
        "behaviours 48 and 52: a missing parameter is a failure, at confirm and at handle",
        arguments: ["payee", "currencyAmount"]
    )
    func incompletePaymentFails(missing: String) async throws {
        let fixture = try self.fixture()
        var payment = Self.payment
        payment[missing] = nil
        #expect(try await fixture.confirm(payment).code == "failure")
        let response = try await fixture.handle(payment)
        #expect(response.code == "failure")
        #expect(response.details["error"] == "incomplete")
    }
}
