public import IntentKit
public import SiriKitIntents

/// Starts video calls with UnicornTalk, for clients that do not know `INStartCallIntent`.
public struct UTStartVideoCallIntentHandler: INStartVideoCallIntentHandling {
    public init() {}

    /// Resolves the one person to call.
    public func resolveContacts(
        for intent: INStartVideoCallIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        try await CallPlan.resolve(intent.contacts, with: context)
    }

    /// Checks everything that could prevent the call.
    public func confirm(
        intent: INStartVideoCallIntent,
        context: TurnContext
    ) async throws -> INStartVideoCallIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let plan): return INStartVideoCallIntentResponse(code: .ready, details: plan.details)
        }
    }

    /// Hands the call to the app.
    public func handle(
        intent: INStartVideoCallIntent,
        context: TurnContext
    ) async throws -> INStartVideoCallIntentResponse {
        switch try await self.check(intent, context) {
        case .failure(let failure): return failure
        case .success(let plan): return try await plan.handOver(code: .continueInApp, context)
        }
    }

    private enum Check {
        case success(CallPlan)
        case failure(INStartVideoCallIntentResponse)
    }

    private func check(_ intent: INStartVideoCallIntent, _ context: TurnContext) async throws -> Check {
        guard let people = try await CallPlan.people(intent.contacts, with: context), people.count == 1 else {
            let description = "It is not known whom to call."
            let details: JSONObject = ["error": "incomplete", "errorDescription": .string(description)]
            return .failure(INStartVideoCallIntentResponse(code: .failure, details: details))
        }
        let plan = CallPlan(people: people, capability: .videoCall, destination: .normal)
        if let problem = try await plan.problem(context) { return .failure(problem.response(details: plan.details)) }
        let userID = context.user.id
        let blind = try await context.read("callees") { store in
            try UnicornTalk.callees(plan.contacts, of: userID, without: "takes_video", in: store)
        }
        // Without access to contacts the number is not shown, but it exists.
        guard blind.isEmpty, people[0].handle != nil || !context.user.hasContactsAccess else {
            return .failure(INStartVideoCallIntentResponse(code: .failureInvalidNumber, details: plan.details))
        }
        return .success(plan)
    }
}
