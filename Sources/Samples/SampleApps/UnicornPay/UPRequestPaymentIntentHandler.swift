public import IntentKit
public import SiriKitIntents

/// Requests money from people through UnicornPay.
public struct UPRequestPaymentIntentHandler: INRequestPaymentIntentHandling {
    public init() {}

    /// Looks for the payer in the address book and for the payer's account.
    public func resolvePayer(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentPayerResolutionResult {
        guard let payer = intent.payer, !payer.isMissing else { return .needsValue() }
        let found = try await Counterparty.all(matching: payer, with: context)
        switch found.count {
        case 2...: return .disambiguation(with: found.map { INPerson($0.contact, context: context) })
        case 1: break
        default: return .unsupported(forReason: .noAccount)
        }
        if found[0].contact.handles.isEmpty { return .unsupported(forReason: .noValidHandle) }
        guard let account = found[0].account, account.userID != context.user.id else {
            return .unsupported(forReason: .noAccount)
        }
        guard account.hasVerifiedCredentials else { return .unsupported(forReason: .credentialsUnverified) }
        return .success(with: INPerson(found[0].contact, saidAs: payer, context: context))
    }

    /// Checks currency and bounds.
    public func resolveCurrencyAmount(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentCurrencyAmountResolutionResult {
        guard let asked = intent.currencyAmount else { return .needsValue() }
        guard let amount = Money(asked) else { return .unsupported() }
        let terms = try await self.terms(amount.currencyCode, context)
        return switch terms.problem(requesting: amount.minorUnits) {
        case nil: .success(with: amount.currencyAmount)
        case .failurePaymentsAmountBelowMinimum?: .unsupported(forReason: .paymentsAmountBelowMinimum)
        case .failurePaymentsAmountAboveMaximum?: .unsupported(forReason: .paymentsAmountAboveMaximum)
        default: .unsupported(forReason: .paymentsCurrencyUnsupported)
        }
    }

    /// Accepts a note; a request does not need one.
    public func resolveNote(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let note = intent.note, !note.isMissing else { return .notRequired() }
        return .success(with: note)
    }

    /// Checks everything that could prevent the request, and reports the payer and the amount.
    public func confirm(
        intent: INRequestPaymentIntent,
        context: TurnContext
    ) async throws -> INRequestPaymentIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let request):
            var details: JSONObject = [
                "payer": request.payer.json, "currencyAmount": request.amount.currencyAmount.json,
            ]
            details["note"] = request.note?.json
            return INRequestPaymentIntentResponse(code: .ready, details: details, requiresUserConfirmation: true)
        }
    }

    /// Records the request as pending, and reports it.
    public func handle(
        intent: INRequestPaymentIntent,
        context: TurnContext
    ) async throws -> INRequestPaymentIntentResponse {
        let request: Request
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let checked): request = checked
        }
        let entry = PaymentBook.Entry(
            identifier: context.makeIdentifier(),
            payer: request.account.userID,
            payee: context.user.id,
            userID: context.user.id,
            contact: request.contact,
            amount: request.amount,
            note: request.note,
            createdAt: OffsetDateTime(context.now)
        )
        let record = INPaymentRecord(
            identifier: entry.identifier,
            payee: INPerson(identifier: context.user.id),
            payer: request.payer,
            currencyAmount: request.amount.currencyAmount,
            note: request.note,
            status: .pending
        )
        var response = INRequestPaymentIntentResponse(code: .success)
        response.paymentRecord = try await context.effect("requestPayment") { store in
            try PaymentBook.request(entry, in: store)
            return record
        }
        return response
    }
}
