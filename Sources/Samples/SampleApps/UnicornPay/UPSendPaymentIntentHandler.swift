public import IntentKit
public import SiriKitIntents

/// Sends money through UnicornPay.
public struct UPSendPaymentIntentHandler: INSendPaymentIntentHandling {
    public init() {}

    /// Looks for the payee in the address book and for the payee's account.
    ///
    /// Several matches are offered to choose from, one is accepted, none is unsupported (behaviour 26).
    public func resolvePayee(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INSendPaymentPayeeResolutionResult {
        guard let payee = intent.payee, !payee.isMissing else { return .needsValue() }
        let found = try await Counterparty.all(matching: payee, with: context)
        switch found.count {
        case 2...: return .disambiguation(with: found.map { INPerson($0.contact, context: context) })
        case 1: break
        default: return .unsupported(forReason: .noAccount)
        }
        let contact = found[0].contact
        if contact.handles.isEmpty { return .unsupported(forReason: .noValidHandle) }
        guard let account = found[0].account, account.userID != context.user.id else {
            return .unsupported(forReason: .noAccount)
        }
        guard account.hasVerifiedCredentials else { return .unsupported(forReason: .credentialsUnverified) }
        if let amount = intent.currencyAmount.flatMap(Money.init) {
            let terms = try await self.terms(amount.currencyCode, context)
            if terms.account != nil, terms.balance < amount.minorUnits, terms.problem(paying: amount.minorUnits) == nil
            {
                return .unsupported(forReason: .insufficientFunds)
            }
        }
        return .success(with: INPerson(contact, saidAs: payee, context: context))
    }

    /// Checks currency and bounds; without an amount, offers the one that the payee has requested (behaviours 18 and
    /// 36).
    public func resolveCurrencyAmount(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INSendPaymentCurrencyAmountResolutionResult {
        guard let asked = intent.currencyAmount else {
            guard let pending = try await self.pendingAmount(for: intent, context) else { return .needsValue() }
            return .confirmationRequired(with: pending.currencyAmount)
        }
        guard let amount = Money(asked) else { return .unsupported() }
        let terms = try await self.terms(amount.currencyCode, context)
        return switch terms.problem(paying: amount.minorUnits) {
        case nil: .success(with: amount.currencyAmount)
        case .failurePaymentsAmountBelowMinimum?: .unsupported(forReason: .paymentsAmountBelowMinimum)
        case .failurePaymentsAmountAboveMaximum?: .unsupported(forReason: .paymentsAmountAboveMaximum)
        default: .unsupported(forReason: .paymentsCurrencyUnsupported)
        }
    }

    /// Accepts a note; a payment does not need one.
    public func resolveNote(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let note = intent.note, !note.isMissing else { return .notRequired() }
        return .success(with: note)
    }

    /// The limits that apply to the payment.
    func terms(_ currencyCode: String?, _ context: TurnContext) async throws -> PaymentTerms {
        let userID = context.user.id
        let now = context.now
        return try await context.read("terms") { try UnicornPay.terms(for: userID, in: currencyCode, at: now, $0) }
    }

    /// The amount that the payee has requested from the user, if there is exactly one.
    private func pendingAmount(for intent: INSendPaymentIntent, _ context: TurnContext) async throws -> Money? {
        guard let payee = try await Counterparty.one(matching: intent.payee, with: context) else { return nil }
        let userID = context.user.id
        let pending = try await context.read("pendingRequests") { store in
            try PaymentBook.pendingAmounts(payer: userID, payee: payee.account.userID, in: store)
        }
        return pending.count == 1 ? pending[0] : nil
    }
}
