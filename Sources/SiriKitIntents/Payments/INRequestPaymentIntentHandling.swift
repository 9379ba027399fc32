public import IntentKit

/// Requests payments: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method of its own is taken as it is, `confirm` answers ready.
public protocol INRequestPaymentIntentHandling: INIntentHandling where HandledIntent == INRequestPaymentIntent {
    /// Finds out whom the money is asked of.
    func resolvePayer(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentPayerResolutionResult

    /// Finds out how much.
    func resolveCurrencyAmount(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentCurrencyAmountResolutionResult

    /// Finds out what it is for.
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

    /// Takes the payer as it is.
    public func resolvePayer(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentPayerResolutionResult {
        intent.payer.map { .success(with: $0) } ?? .notRequired()
    }

    /// Takes the amount as it is.
    public func resolveCurrencyAmount(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INRequestPaymentCurrencyAmountResolutionResult {
        intent.currencyAmount.map { .success(with: $0) } ?? .notRequired()
    }

    /// Takes the note as it is.
    public func resolveNote(
        for intent: INRequestPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        intent.note.map { .success(with: $0) } ?? .notRequired()
    }
}
