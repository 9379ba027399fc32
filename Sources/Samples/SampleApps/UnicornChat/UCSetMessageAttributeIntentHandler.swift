public import IntentKit
public import SiriKitIntents

/// Marks messages in UnicornChat.
public struct UCSetMessageAttributeIntentHandler: INSetMessageAttributeIntentHandling {
    public init() {}

    /// Asks for the mark when none was said.
    public func resolveAttribute(
        for intent: INSetMessageAttributeIntent,
        with context: TurnContext
    ) async throws -> INMessageAttributeResolutionResult {
        guard let attribute = intent.attribute, attribute != .unknown else { return .needsValue() }
        return .success(with: attribute)
    }

    /// Checks that the messages exist and can be marked like this; changes nothing.
    public func confirm(
        intent: INSetMessageAttributeIntent,
        context: TurnContext
    ) async throws -> INSetMessageAttributeIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await UnicornProblem.current(context) {
        case .sessionLapsed?: return UnicornProblem.sessionLapsed.response(code: .failureRequiringAppLaunch)
        case .signedOut?: return UnicornProblem.signedOut.response(code: .failureRequiringAppLaunch)
        case .serviceNotAvailable?: return UnicornProblem.serviceNotAvailable.response(code: .failure)
        case nil: break
        }
        guard let mark = MessageMark(intent, userID: context.user.id) else { return self.incomplete }
        let problem = try await context.read("messages") { try mark.problem(in: $0) }
        return problem.map { self.failure($0) } ?? INSetMessageAttributeIntentResponse(code: .ready)
    }

    /// Marks the messages, all of them or none.
    public func handle(
        intent: INSetMessageAttributeIntent,
        context: TurnContext
    ) async throws -> INSetMessageAttributeIntentResponse {
        guard let mark = MessageMark(intent, userID: context.user.id) else { return self.incomplete }
        if let problem = try await context.read("messages", { try mark.problem(in: $0) }) {
            return self.failure(problem)
        }
        // A message may have been deleted since the check: the effect itself reports it, and marks none.
        let problem = try await context.effect("setMessageAttribute") { store -> MessageMark.Problem? in
            if let problem = try mark.problem(in: store) { return problem }
            try mark.set(in: store)
            return nil
        }
        if let problem { return self.failure(problem) }
        return INSetMessageAttributeIntentResponse(
            code: .success,
            details: ["identifiers": mark.identifiers.json, "attribute": mark.attribute.json]
        )
    }

    private func failure(_ problem: MessageMark.Problem) -> INSetMessageAttributeIntentResponse {
        let details: JSONObject = ["identifiers": problem.identifiers.json]
        return INSetMessageAttributeIntentResponse(
            code: problem.isMissing ? .failureMessageNotFound : .failureMessageAttributeNotSet,
            userActivity: UserActivity(userInfo: details),
            details: details
        )
    }

    private var incomplete: INSetMessageAttributeIntentResponse {
        let description = "It is not known which messages are to be marked, or as what."
        return INSetMessageAttributeIntentResponse(
            code: .failure,
            details: ["error": "incomplete", "errorDescription": .string(description)]
        )
    }
}
