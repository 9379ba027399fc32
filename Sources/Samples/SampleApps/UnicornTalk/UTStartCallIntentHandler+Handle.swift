public import IntentKit
public import SiriKitIntents

extension UTStartCallIntentHandler {
    /// Checks everything that could prevent the call; emergencies and calls to several people need a yes.
    public func confirm(
        intent: INStartCallIntent,
        context: TurnContext
    ) async throws -> INStartCallIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        guard let plan = try await self.plan(intent, context) else { return self.incomplete }
        if let problem = try await plan.problem(context) { return problem.response(details: plan.details) }
        let wantsYes = plan.destination == .emergency || plan.people.count > 1
        return INStartCallIntentResponse(code: wantsYes ? .userConfirmationRequired : .ready, details: plan.details)
    }

    /// Hands the call to the app.
    public func handle(
        intent: INStartCallIntent,
        context: TurnContext
    ) async throws -> INStartCallIntentResponse {
        guard let plan = try await self.plan(intent, context) else { return self.incomplete }
        if let problem = try await plan.problem(context) { return problem.response(details: plan.details) }
        return try await plan.handOver(code: .continueInApp, context)
    }

    private func plan(_ intent: INStartCallIntent, _ context: TurnContext) async throws -> CallPlan? {
        let destination = intent.destinationType ?? .normal
        let people: [INPerson]
        switch destination {
        case .voicemail:
            guard let number = try await self.line(context).voicemailNumber else { return nil }
            people = [INPerson(spokenPhrase: "Voicemail", handle: INPersonHandle(value: number, type: .phoneNumber))]
        case .emergency:
            people = [INPerson(spokenPhrase: "Emergency", handle: INPersonHandle(value: "112", type: .phoneNumber))]
        case .unknown, .normal, .redial, .callBack:
            guard let known = try await CallPlan.people(intent.contacts, with: context) else { return nil }
            people = known
        }
        return CallPlan(
            people: people,
            capability: intent.callCapability ?? .audioCall,
            destination: destination,
            audioRoute: intent.audioRoute,
            record: intent.callRecordToCallBack
        )
    }

    private var incomplete: INStartCallIntentResponse {
        let description = "It is not known whom to call."
        return INStartCallIntentResponse(
            code: .failure,
            details: ["error": "incomplete", "errorDescription": .string(description)]
        )
    }
}
