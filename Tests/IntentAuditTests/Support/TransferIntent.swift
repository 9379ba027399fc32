import IntentKit
import IntentLab

/// Sends money: read, asked, and done once.
struct TransferIntent: Intent {
    static let intentName = "TransferIntent"
    enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
    }

    @Parameter var recipient: String?
    @Parameter var amount: Int?
}

/// Reads a rate, draws a number, generates an id and calls an effect; the recipient's name decides what goes wrong.
struct TransferHandler: IntentHandler {
    struct Hiccup: TransientError {}
    struct Defect: Error {}

    var gate: Gate?
    var limit = 1_000
    /// The largest amount that is transferred; nil transfers any.
    var available: Int?

    var handling: Handling<TransferIntent> {
        Resolve(by: self.resolveRecipient, \.$recipient)
        Resolve(by: self.resolveAmount, \.$amount)
        Confirm(self.confirm)
        Handle(self.handle)
    }

    func resolveRecipient(
        for intent: TransferIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let name = intent.recipient, !name.isMissing else { return .needsValue() }
        return .success(with: name)
    }

    func resolveAmount(for intent: TransferIntent, with context: TurnContext) async throws -> INIntegerResolutionResult
    {
        guard let amount = intent.amount else { return .needsValue() }
        return amount <= self.limit ? .success(with: amount) : .unsupported()
    }

    func confirm(intent: TransferIntent, context: TurnContext) async throws -> IntentResponse<TransferIntent> {
        let rate = try await context.run("rate") { Int.random(in: 100...999) }
        return IntentResponse(code: .ready, details: ["fee": .integer(rate > 0 ? 1 : 0)])
    }

    func handle(intent: TransferIntent, context: TurnContext) async throws -> IntentResponse<TransferIntent> {
        if intent.recipient == "slow" { await self.gate?.wait() }
        if intent.recipient == "never" { try await hangUntilCancelled() }
        if intent.recipient == "passes" && context.attempt == 1 { throw Hiccup() }
        if intent.recipient == "stays" { throw Defect() }
        let rate = try await context.run("rate") { Int.random(in: 100...999) }
        var random = context.randomNumbers
        let drawn = Int.random(in: 0..<1_000_000, using: &random)
        let booked = try await context.effect("book") { _ in Int.random(in: 0..<1_000_000) }
        if intent.recipient == "breaks" { throw Defect() }
        if let available, intent.amount ?? 0 > available { return IntentResponse(code: .failure) }
        if intent.recipient == "refused" { return IntentResponse(code: .failure) }
        return IntentResponse(
            code: .success,
            details: [
                "rate": .integer(Int64(rate)), "drawn": .integer(Int64(drawn)), "booked": .integer(Int64(booked)),
                "id": .string(context.makeIdentifier()), "time": .string("\(context.now)"),
            ]
        )
    }
}
