import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("The amount of a payment")
struct PaymentAmountTests {
    typealias Reason = INSendPaymentCurrencyAmountUnsupportedReason

    private func fixture() throws -> IntentFixture {
        try IntentFixture(PaymentsExtension.make(), "INSendPaymentIntent")
    }

    private func amount(_ text: String, _ code: String = "EUR") -> JSONValue {
        ["amount": .string(text), "currencyCode": .string(code)]
    }

    private func outcome(_ fixture: IntentFixture, _ amount: JSONValue) async throws -> ResolutionOutcome? {
        try await fixture.resolve("currencyAmount", ["payee": "Diana", "currencyAmount": amount]).first
    }

    @Test("behaviour 20: Swiss francs are unsupported where only euros or dollars are accepted")
    func refusesSwissFrancs() async throws {
        let fixture = try self.fixture()
        #expect(
            try await self.outcome(fixture, self.amount("20", "CHF")) == .refused(Reason.paymentsCurrencyUnsupported)
        )
        #expect(try await self.outcome(fixture, self.amount("20", "USD")) == .success(self.amount("20.00", "USD")))
        try fixture.change { try UnicornPay.offer(PaymentCurrency("CHF", minimum: 100, maximum: 10_000), in: $0) }
        #expect(try await self.outcome(fixture, self.amount("20", "CHF")) == .success(self.amount("20.00", "CHF")))
    }

    @Test("behaviour 15: the amount gets all decimals of its currency, and so may differ from what was said")
    func amountGetsCurrencysDecimals() async throws {
        let fixture = try self.fixture()
        for text in ["12.5", "12.50", "12.500", "012.5"] {
            #expect(try await self.outcome(fixture, self.amount(text)) == .success(self.amount("12.50")))
        }
        #expect(try await self.outcome(fixture, self.amount("12.505")) == .unsupported(nil), "there is no half a cent")
    }

    @Test("The smallest and the largest amount, to the cent")
    func boundsAmountToTheCent() async throws {
        let fixture = try self.fixture()
        func reason(_ text: String) async throws -> ResolutionOutcome? {
            let outcome = try await self.outcome(fixture, self.amount(text))
            return outcome?.value == nil ? outcome : nil
        }
        for text in ["0.99", "0", "-20"] {
            #expect(try await reason(text) == .refused(Reason.paymentsAmountBelowMinimum))
        }
        #expect(try await reason("1.00") == nil)
        #expect(try await reason("1000.00") == nil)
        let tooMuch = ["1000.01", "5000.01", "99999999999999999999999999999"]
        for text in tooMuch { #expect(try await reason(text) == .refused(Reason.paymentsAmountAboveMaximum)) }
    }

    @Test("Today's payments count against the daily limit, and not the day after (UTC)")
    func dailyLimitCountsTodaysPayments() async throws {
        var fixture = try self.fixture()
        try fixture.change { store in
            let balance = Money(minorUnits: 25_000, currencyCode: "EUR")
            try UnicornPay.setBalance(balance, of: "u1", dailyLimit: 5_000, in: store)
        }
        let payment: JSONObject = ["payee": "Diana", "currencyAmount": self.amount("30")]
        #expect(try await fixture.handle(payment, as: "a").code == "success")
        #expect(try await self.outcome(fixture, self.amount("20.00"))?.value != nil)
        #expect(try await self.outcome(fixture, self.amount("20.01")) == .refused(Reason.paymentsAmountAboveMaximum))
        #expect(try await self.outcome(fixture, self.amount("50.00", "USD"))?.value != nil, "each currency has its own")
        fixture.now += 86_400
        #expect(try await self.outcome(fixture, self.amount("50.00"))?.value != nil)
    }

    @Test("behaviours 18 and 36: without an amount the one that the payee has requested is offered for a yes")
    func offersAmountThatPayeeRequested() async throws {
        let fixture = try self.fixture()
        let missing = try await fixture.resolve("currencyAmount", ["payee": ["identifier": "celestra"]])
        #expect(missing == [.confirmationRequired(ParameterOption(self.amount("12.50")), nil)])
        #expect(try await fixture.resolve("currencyAmount", ["payee": "Diana"]) == [.needsValue], "behaviour 19")
        #expect(try await fixture.resolve("currencyAmount", [:]) == [.needsValue])
    }

    @Test("Two requested amounts give no guess")
    func twoRequestsGiveNoGuess() async throws {
        let fixture = try self.fixture()
        var celestra = try IntentFixture(PaymentsExtension.make(), "INRequestPaymentIntent", store: fixture.store)
        celestra.user = RequestingUser(id: "celestra")
        try fixture.change { store in
            let handle = INPersonHandle(value: "u1@unicorn.example", type: .emailAddress)
            try AddressBook(of: "celestra").add(Contact("You", identifier: "you", handles: [handle]), in: store)
        }
        let request: JSONObject = ["payer": "You", "currencyAmount": self.amount("3")]
        #expect(try await celestra.handle(request, as: "r").code == "success")
        #expect(try await fixture.resolve("currencyAmount", ["payee": "Celestra"]) == [.needsValue])
    }

    @Test("behaviour 32: a note may be omitted", arguments: [nil, "", "rent"])
    func noteIsOptional(note: String?) async throws {
        let parameters: JSONObject = note.map { ["note": .string($0)] } ?? [:]
        let outcomes = try await self.fixture().resolve("note", parameters)
        #expect(outcomes == [note == "rent" ? .success("rent") : .notRequired])
    }

    @Test(
        "Money is exact: text, smallest coins and text again",
        arguments: [
            ("12.50", "EUR", 1_250), ("0.05", "EUR", 5), ("-0.05", "EUR", -5), ("1250", "JPY", 1_250),
            ("1.250", "KWD", 1_250), ("92233720368547758.07", "EUR", Int64.max), ("0.00", "USD", 0),
        ] as [(String, String, Int64)]
    )
    func moneyRoundTripsExactly(text: String, code: String, coins: Int64) throws {
        let amount = try #require(INCurrencyAmount(amount: text, currencyCode: code))
        let money = try #require(Money(amount))
        #expect(money.minorUnits == coins)
        #expect(money.currencyAmount == amount)
    }

    @Test("Amounts without such a coin, and beyond 64 bits")
    func boundsMoneyToCoinsAndInt64() throws {
        let yen = try #require(INCurrencyAmount(amount: "1.5", currencyCode: "JPY"))
        #expect(Money(yen) == nil)
        let much = try #require(INCurrencyAmount(amount: "92233720368547758.08", currencyCode: "EUR"))
        #expect(Money(much)?.minorUnits == .max)
    }

    @Test("A fee is rounded up to a whole coin, whatever the amount")
    func roundsFeesUp() {
        let dollars = PaymentCurrency("USD", minimum: 1, maximum: .max, fixedFee: 25, feeBasisPoints: 50)
        #expect(dollars.fee(for: 2_000) == 35)
        #expect(dollars.fee(for: 2_001) == 36)
        #expect(dollars.fee(for: .max) == 25 + 46_116_860_184_273_880)
    }
}
