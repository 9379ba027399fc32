import Foundation
import IntentKit
import IntentLab
@testable import SampleApps
@testable import SiriKitIntents
import Testing

@Suite("Making a payment")
struct HandlePaymentTests {
    private func fixture() throws -> IntentFixture {
        try IntentFixture(PaymentsExtension.make(), "INSendPaymentIntent")
    }

    private func balance(_ user: String, _ fixture: IntentFixture, in code: String = "EUR") throws -> Int64 {
        try fixture.store.write { try UnicornPay.balance(of: user, in: code, $0).minorUnits }
    }

    @Test("behaviours 49, 57 and 59: the balance decreases, the payee's increases, and the record has all details")
    func paysAndRecordsPayment() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.handle(ConfirmPaymentTests.payment)
        #expect(response.code == "success")
        #expect(try self.balance("u1", fixture) == 23_000)
        #expect(try self.balance("celestra", fixture) == 27_000)
        let record = try #require(response.details["paymentRecord"].flatMap(INPaymentRecord.init(json:)))
        #expect(record.identifier == "id-1")
        #expect(record.status == .completed)
        #expect(record.payee?.identifier == "celestra")
        #expect(record.payer?.identifier == "u1")
        #expect(record.currencyAmount?.amount == "20.00")
        #expect(record.feeAmount?.amount == "0.00")
        #expect(record.note == "hay")
        #expect(record.paymentMethod?.type == .checking)
        #expect(response.details["balanceAfter"]?["amount"] == "230.00")
        let row = try #require(try fixture.store.query("SELECT * FROM payments WHERE kind = 'payment'").first)
        #expect(row["payer"] == "u1" && row["payee"] == "celestra" && row["amount"] == 2_000)
        #expect(row["status"] == "completed" && row["created_at"] == "2026-11-21T12:30:00.000Z")
    }

    @Test("R30: repeating the turn pays nothing and reports the same")
    func repeatedTurnPaysNothing() async throws {
        let fixture = try self.fixture()
        let first = try await fixture.handle(ConfirmPaymentTests.payment)
        #expect(try await fixture.handle(ConfirmPaymentTests.payment) == first)
        #expect(try self.balance("u1", fixture) == 23_000)
    }

    @Test("The balance has changed since the user said yes: failureInsufficientFunds at handle, and nothing is paid")
    func insufficientFundsAtHandle() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.confirm(ConfirmPaymentTests.payment).code == "ready")
        try fixture.change {
            try UnicornPay.setBalance(Money(minorUnits: 1_999, currencyCode: "EUR"), of: "u1", in: $0)
        }
        #expect(try await fixture.handle(ConfirmPaymentTests.payment).code == "failureInsufficientFunds")
        #expect(try self.balance("u1", fixture) == 1_999)
        #expect(try self.balance("celestra", fixture) == 25_000)
        #expect(try fixture.store.query("SELECT * FROM payments WHERE kind = 'payment'").isEmpty)
    }

    @Test("A payment between the last check of the balance and the effect: the effect itself refuses")
    func effectRefusesAfterRacingPayment() async throws {
        let fixture = try self.fixture()
        // It happens between the handler's last read and its effect.
        let host = TestTurnHost(store: fixture.store) { store in
            try UnicornPay.setBalance(Money(minorUnits: 0, currencyCode: "EUR"), of: "u1", in: store)
        }
        let intent = IntentSnapshot(name: "INSendPaymentIntent", parameters: ConfirmPaymentTests.payment)
        let response = try await fixture.registration.handle(intent, .testing(host))
        #expect(response.code == "failureInsufficientFunds")
        #expect(try self.balance("celestra", fixture) == 25_000)
    }

    @Test("The next intent sees the payment: the balance is lower, and a request that was paid is settled")
    func nextIntentSeesPayment() async throws {
        let fixture = try self.fixture()
        var payment = ConfirmPaymentTests.payment
        payment["currencyAmount"] = ["amount": "12.50", "currencyCode": "EUR"]
        #expect(try await fixture.handle(payment, as: "a").code == "success")
        let request = try fixture.store.query("SELECT status FROM payments WHERE identifier = 'demo-request-u1'")
        #expect(request.first?["status"] == "completed")
        #expect(try await fixture.resolve("currencyAmount", ["payee": "Celestra"]) == [.needsValue])
        #expect(try await fixture.confirm(payment).details["balanceAfter"]?["amount"] == "225.00")
    }

    @Test(
        "Two hundred random payments: the balances lack only the fees",
        arguments: [1, 2] as [UInt64]
    )
    func moneyIsConserved(seed: UInt64) async throws {
        var fixture = try self.fixture()
        var random = SeededNumbers(seed: seed)
        let people = ["u1", "celestra", "diana", "scott"]
        try fixture.change { store in
            for person in people {
                try AddressBook.addDemoData(for: person, in: store)
                let handle = INPersonHandle(value: "u1@unicorn.example", type: .emailAddress)
                try AddressBook(of: person).add(Contact("You", identifier: "u1", handles: [handle]), in: store)
            }
        }
        var codes: [String: Int] = [:]
        for number in 0..<200 {
            fixture.user = RequestingUser(id: people.randomElement(using: &random) ?? "u1")
            let payee = people.filter { $0 != fixture.user.id }.randomElement(using: &random) ?? ""
            let coins = number % 20 == 0 ? 50 : Int64.random(in: 100...9_000, using: &random)
            let amount = Money(minorUnits: coins, currencyCode: "USD").currencyAmount.json
            let intent: JSONObject = ["payee": ["identifier": .string(payee)], "currencyAmount": amount]
            let response = try await fixture.handle(intent, as: "\(number)/")
            codes[response.code ?? "", default: 0] += 1
        }
        let fees = try fixture.store.query(
            "SELECT sum(fee) AS fees, count(*) AS n FROM payments WHERE kind = 'payment'"
        )
        let total = try people.reduce(into: Int64(0)) { $0 += try self.balance($1, fixture, in: "USD") }
        #expect(total + (fees.first?["fees"]?.integer ?? 0) == 40_000)
        #expect(fees.first?["n"]?.integer == codes["success"].map(Int64.init))
        let seen = Set(codes.keys)
        #expect(seen == ["success", "failureInsufficientFunds", "failurePaymentsAmountBelowMinimum"])
    }

    @Test("behaviour 86: without access to contacts the payment is made, and no address is reported")
    func paysWithoutContactsAccess() async throws {
        var fixture = try self.fixture()
        fixture.user.hasContactsAccess = false
        let amount: JSONValue = ["amount": "5", "currencyCode": "EUR"]
        let response = try await fixture.handle(["payee": "Diana", "currencyAmount": amount])
        #expect(response.code == "success")
        #expect(response.details["paymentRecord"]?["payee"] == ["spokenPhrase": "Diana", "identifier": "diana"])
    }
}
