public import IntentKit

/// Sends payments: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INSendPaymentIntentHandling: INIntentHandling where HandledIntent == INSendPaymentIntent {
    /// Finds out whom the money goes to.
    func resolvePayee(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INSendPaymentPayeeResolutionResult

    func resolveCurrencyAmount(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INSendPaymentCurrencyAmountResolutionResult

    func resolveNote(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult
}

extension INSendPaymentIntentHandling {
    /// The three methods, each for the parameter in its name.
    public var resolvers: [Resolve<INSendPaymentIntent>] {
        [
            Resolve(by: self.resolvePayee, \.$payee),
            Resolve(by: self.resolveCurrencyAmount, \.$currencyAmount),
            Resolve(by: self.resolveNote, \.$note),
        ]
    }

    /// Uses the payee as it is.
    public func resolvePayee(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INSendPaymentPayeeResolutionResult {
        intent.payee.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the amount as it is.
    public func resolveCurrencyAmount(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INSendPaymentCurrencyAmountResolutionResult {
        intent.currencyAmount.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the note as it is.
    public func resolveNote(
        for intent: INSendPaymentIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        intent.note.map { .success(with: $0) } ?? .notRequired()
    }
}
