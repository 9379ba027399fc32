public import IntentKit
public import SiriKitIntents

/// Starts audio calls with UnicornTalk, for clients that do not know `INStartCallIntent`.
public struct UTStartAudioCallIntentHandler: INStartAudioCallIntentHandling {
    public init() {}

    /// Accepts the destination; without one, it is the named people.
    public func resolveDestinationType(
        for intent: INStartAudioCallIntent,
        with context: TurnContext
    ) async throws -> INCallDestinationTypeResolutionResult {
        guard let type = intent.destinationType, type != .unknown else { return .success(with: .normal) }
        return type == .normal ? .success(with: type) : .unsupported()
    }

    /// Resolves the one person to call.
    public func resolveContacts(
        for intent: INStartAudioCallIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        try await CallPlan.resolve(intent.contacts, with: context)
    }

    /// Checks everything that could prevent the call.
    public func confirm(
        intent: INStartAudioCallIntent,
        context: TurnContext
    ) async throws -> INStartAudioCallIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let plan): return INStartAudioCallIntentResponse(code: .ready, details: plan.details)
        }
    }

    /// Hands the call to the app.
    public func handle(
        intent: INStartAudioCallIntent,
        context: TurnContext
    ) async throws -> INStartAudioCallIntentResponse {
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let plan): return try await plan.handOver(code: .continueInApp, context)
        }
    }

    private enum Check {
        case success(CallPlan)
        case failure(INStartAudioCallIntentResponse)
    }

    private func check(_ intent: INStartAudioCallIntent, _ context: TurnContext) async throws -> Check {
        guard let people = try await CallPlan.people(intent.contacts, with: context), people.count == 1 else {
            let description = "It is not known whom to call."
            let details: JSONObject = ["error": "incomplete", "errorDescription": .string(description)]
            return .failure(INStartAudioCallIntentResponse(code: .failure, details: details))
        }
        let plan = CallPlan(people: people, capability: .audioCall, destination: .normal)
        if let problem = try await plan.problem(context) { return .failure(problem.response(details: plan.details)) }
        // Without access to contacts the number is not shown, but it exists.
        guard people[0].handle != nil || !context.user.hasContactsAccess else {
            return .failure(INStartAudioCallIntentResponse(code: .failureNoValidNumber, details: plan.details))
        }
        return .success(plan)
    }
}
