public import IntentKit
public import SiriKitIntents

extension UPSendPaymentIntentHandler {
    /// Checks everything that could prevent the payment, and reports its total (behaviours 35 and 44).
    public func confirm(
        intent: INSendPaymentIntent,
        context: TurnContext
    ) async throws -> INSendPaymentIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let payment):
            var details = payment.details
            details["payee"] = payment.payee.json
            return INSendPaymentIntentResponse(code: .ready, details: details, requiresUserConfirmation: true)
        }
    }

    /// A payment that is currently possible.
    struct Payment: Sendable {
        var payee: INPerson
        var contact: Contact
        var account: PaymentAccount
        var amount: Money
        var note: String?
        var terms: PaymentTerms

        /// The service's fee.
        var fee: Money {
            Money(minorUnits: self.terms.fee(for: self.amount.minorUnits), currencyCode: self.amount.currencyCode)
        }

        /// What the user should see before saying yes, except for the payee.
        var details: JSONObject {
            let left = self.terms.balance(afterPaying: self.amount.minorUnits)
            let balance = Money(minorUnits: left, currencyCode: self.amount.currencyCode)
            var details: JSONObject = [
                "currencyAmount": self.amount.currencyAmount.json, "feeAmount": self.fee.currencyAmount.json,
                "balanceAfter": balance.currencyAmount.json,
            ]
            details["note"] = self.note?.json
            details["paymentMethod"] = self.terms.account?.paymentMethod?.json
            return details
        }
    }

    enum Check {
        case success(Payment)
        case failure(INSendPaymentIntentResponse)
    }

    /// Checks account, amount, payee and funds, in this order.
    func check(_ intent: INSendPaymentIntent, _ context: TurnContext) async throws -> Check {
        let terms = try await self.terms(intent.currencyAmount?.currencyCode, context)
        if let failure: INSendPaymentIntentResponse = PaymentDetails.accountFailure(terms) { return .failure(failure) }
        guard let person = intent.payee, let amount = intent.currencyAmount.flatMap(Money.init) else {
            let description = "The payment has no payee, or no amount."
            return .failure(PaymentDetails.failure(.failure, "incomplete", description))
        }
        if let problem = terms.problem(paying: amount.minorUnits) {
            return .failure(PaymentDetails.amountFailure(problem, amount, terms))
        }
        guard let payee = try await Counterparty.one(matching: person, with: context) else {
            let description = "Nothing can be paid to \(person.searchName)."
            return .failure(PaymentDetails.failure(.failure, "payeeUnavailable", description))
        }
        let note = intent.note.flatMap { $0.isMissing ? nil : $0 }
        let payment = Payment(
            payee: INPerson(payee.contact, saidAs: person, context: context),
            contact: payee.contact,
            account: payee.account,
            amount: amount,
            note: note,
            terms: terms
        )
        guard terms.balance(afterPaying: amount.minorUnits) >= 0 else {
            return .failure(self.insufficientFunds(payment))
        }
        return .success(payment)
    }

    /// The refusal for insufficient funds, with the required amount and the balance.
    func insufficientFunds(_ payment: Payment) -> INSendPaymentIntentResponse {
        let balance = Money(minorUnits: payment.terms.balance, currencyCode: payment.amount.currencyCode)
        return PaymentDetails.failure(
            .failureInsufficientFunds,
            "insufficientFunds",
            "The balance does not suffice.",
            [
                "currencyAmount": payment.amount.currencyAmount.json, "feeAmount": payment.fee.currencyAmount.json,
                "balance": balance.currencyAmount.json,
            ]
        )
    }
}
