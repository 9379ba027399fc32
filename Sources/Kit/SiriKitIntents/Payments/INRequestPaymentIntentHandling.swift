public import IntentKit

/// Requests payments: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INRequestPaymentIntentHandling: INIntentHandling where HandledIntent == INRequestPaymentIntent {
    /// Finds out who is asked for the money.
    func resolvePayer(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentPayerResolutionResult

    func resolveCurrencyAmount(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentCurrencyAmountResolutionResult

    func resolveNote(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult
}

extension INRequestPaymentIntentHandling {
    /// The three methods, each for the parameter in its name.
    public var resolvers: [Resolve<INRequestPaymentIntent>] {
        [
            Resolve(by: self.resolvePayer, \.$payer),
            Resolve(by: self.resolveCurrencyAmount, \.$currencyAmount),
            Resolve(by: self.resolveNote, \.$note),
        ]
    }

    /// Uses the payer as it is.
    public func resolvePayer(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentPayerResolutionResult {
        intent.payer.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the amount as it is.
    public func resolveCurrencyAmount(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentCurrencyAmountResolutionResult {
        intent.currencyAmount.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the note as it is.
    public func resolveNote(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        intent.note.map { .success(with: $0) } ?? .notRequired()
    }
}
