public import IntentKit
public import SiriKitIntents

extension UPSendPaymentIntentHandler {
    /// Moves the money and records the payment in one effect, and reports it.
    ///
    /// Everything is checked once more: accounts and balances may have changed since the user said yes.
    public func handle(
        intent: INSendPaymentIntent,
        context: TurnContext
    ) async throws -> INSendPaymentIntentResponse {
        let payment: Payment
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let checked): payment = checked
        }
        let entry = PaymentBook.Entry(
            identifier: context.makeIdentifier(),
            payer: context.user.id,
            payee: payment.account.userID,
            userID: context.user.id,
            contact: payment.contact,
            amount: payment.amount,
            fee: payment.fee.minorUnits,
            note: payment.note,
            createdAt: OffsetDateTime(context.now)
        )
        // Another payment may have been made since the check: the effect itself reports whether the funds were
        // sufficient.
        let balance = try await context.effect("sendPayment") { store -> Money? in
            guard try PaymentBook.pay(entry, in: store) else { return nil }
            return try UnicornPay.balance(of: entry.payer, in: entry.amount.currencyCode, store)
        }
        guard let balance else { return self.insufficientFunds(payment) }
        var response = INSendPaymentIntentResponse(code: .success)
        response.paymentRecord = INPaymentRecord(
            identifier: entry.identifier,
            payee: payment.payee,
            payer: INPerson(identifier: context.user.id),
            currencyAmount: payment.amount.currencyAmount,
            paymentMethod: payment.terms.account?.paymentMethod,
            note: payment.note,
            status: .completed,
            feeAmount: payment.fee.currencyAmount
        )
        response.details["balanceAfter"] = balance.currencyAmount.json
        return response
    }
}
