import IntentKit
import IntentLab

/// An intent with one required parameter.
struct GreetIntent: Intent {
    static let intentName = "GreetIntent"
    enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
    }

    @Parameter var name: String?
}

extension IntentHandler where HandledIntent == GreetIntent {
    func resolveName(for intent: GreetIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        guard let name = intent.name, !name.isMissing else { return .needsValue() }
        return .success(with: name)
    }

    func greeting(_ intent: GreetIntent) -> IntentResponse<GreetIntent> {
        IntentResponse(code: .success, details: ["greeting": .string("Hello, \(intent.name ?? "")")])
    }
}

struct GreetHandler: IntentHandler {
    var handling: Handling<GreetIntent> {
        Resolve(by: self.resolveName, \.$name)
        Handle(self.handle)
    }

    func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
        self.greeting(intent)
    }
}

/// Waits for a gate when the name is `slow`.
struct SlowHandler: IntentHandler {
    let gate: Gate

    var handling: Handling<GreetIntent> { Handle(self.handle) }

    func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
        if intent.name == "slow" { await self.gate.wait() }
        return self.greeting(intent)
    }
}

/// Fails on the first attempt, or always.
struct FailingHandler: IntentHandler {
    struct Hiccup: TransientError {}
    struct Defect: Error {}

    var handling: Handling<GreetIntent> { Handle(self.handle) }

    func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
        if intent.name == "passes" && context.attempt == 1 { throw Hiccup() }
        if intent.name == "stays" { throw Defect() }
        return self.greeting(intent)
    }
}
