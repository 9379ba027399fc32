import IntentKit
import SiriKitIntents

extension UPRequestPaymentIntentHandler {
    /// A request that is currently possible.
    struct Request: Sendable {
        var payer: INPerson
        var contact: Contact
        var account: PaymentAccount
        var amount: Money
        var note: String?
    }

    enum Check {
        case success(Request)
        case failure(INRequestPaymentIntentResponse)
    }

    /// The limits that apply to the request.
    func terms(_ currencyCode: String?, _ context: TurnContext) async throws -> PaymentTerms {
        let userID = context.user.id
        let now = context.now
        return try await context.read("terms") { try UnicornPay.terms(for: userID, in: currencyCode, at: now, $0) }
    }

    /// Checks account, amount and payer, in this order.
    func check(_ intent: INRequestPaymentIntent, _ context: TurnContext) async throws -> Check {
        let terms = try await self.terms(intent.currencyAmount?.currencyCode, context)
        if let failure: INRequestPaymentIntentResponse = PaymentDetails.accountFailure(terms) {
            return .failure(failure)
        }
        guard let person = intent.payer, let amount = intent.currencyAmount.flatMap(Money.init) else {
            let description = "The request has no payer, or no amount."
            return .failure(PaymentDetails.failure(.failure, "incomplete", description))
        }
        if let problem = terms.problem(requesting: amount.minorUnits) {
            return .failure(PaymentDetails.amountFailure(problem, amount, terms))
        }
        guard let payer = try await Counterparty.one(matching: person, with: context) else {
            let description = "\(person.searchName) cannot be asked for money."
            return .failure(PaymentDetails.failure(.failure, "payerUnavailable", description))
        }
        return .success(
            Request(
                payer: INPerson(payer.contact, saidAs: person, context: context),
                contact: payer.contact,
                account: payer.account,
                amount: amount,
                note: intent.note.flatMap { $0.isMissing ? nil : $0 }
            )
        )
    }
}
