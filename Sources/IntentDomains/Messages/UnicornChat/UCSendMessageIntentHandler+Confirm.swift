public import IntentKit

extension UCSendMessageIntentHandler {
    /// Goes through all that could stand in the way, and says to whom what is about to be sent.
    public func confirm(
        intent: INSendMessageIntent,
        context: TurnContext
    ) async throws -> INSendMessageIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        guard try await self.hasSession(context) else {
            let error: [String: JSONValue] = [
                "error": "sessionLapsed", "errorDescription": "Sign in to \(UnicornService.name) to send the message.",
            ]
            return INSendMessageIntentResponse(
                code: .failureRequiringAppLaunch,
                userActivity: UserActivity(userInfo: error),
                details: error
            )
        }
        guard try await self.isServiceAvailable(for: intent, context) else {
            return INSendMessageIntentResponse(
                code: .failureMessageServiceNotAvailable,
                details: self.details(of: intent)
            )
        }
        guard let content = intent.content, !content.isMissing,
            let addressees = try await self.addressees(of: intent, with: context)
        else { return self.failure("incomplete", "The message has no text, or nobody to go to.") }
        guard content.count <= self.maximumContentLength else {
            return self.failure(
                "contentTooLong",
                "The message has \(content.count) characters; \(self.maximumContentLength) are allowed.",
                ["contentLength": content.count.json, "maximumContentLength": self.maximumContentLength.json]
            )
        }
        let forbidden = try await context.read("forbiddenWords") { try UnicornService.forbiddenWords(in: content, $0) }
        guard forbidden.isEmpty else {
            let words = forbidden.joined(separator: ", ")
            return self.failure("contentForbidden", "The message must not say: \(words).", ["words": forbidden.json])
        }
        let unreachable = addressees.filter { $0.contact.unsupportedReason != nil }
        guard unreachable.isEmpty else {
            let names = unreachable.map(\.contact.displayName)
            let description = "The message would not reach \(names.joined(separator: ", "))."
            return self.failure("recipientUnreachable", description, ["unreachable": names.json])
        }
        var details = self.details(of: intent)
        details["recipients"] = addressees.map(\.person).json
        return INSendMessageIntentResponse(code: .ready, details: details, requiresUserConfirmation: true)
    }

    private func hasSession(_ context: TurnContext) async throws -> Bool {
        let userID = context.user.id
        let now = context.now
        return try await context.read("session") { try UnicornService.hasSession(userID: userID, at: now, in: $0) }
    }

    private func isServiceAvailable(for intent: INSendMessageIntent, _ context: TurnContext) async throws -> Bool {
        let service = intent.carrier
        return try await context.read("service") { try UnicornService.isAvailable(service: service, in: $0) }
    }

    /// What the user should see before saying yes.
    private func details(of intent: INSendMessageIntent) -> [String: JSONValue] {
        var details: [String: JSONValue] = ["serviceName": .string(intent.carrier)]
        details["recipients"] = intent.recipients?.json
        details["speakableGroupName"] = intent.speakableGroupName?.json
        details["content"] = intent.content?.json
        return details
    }

    /// The message cannot be sent; says why in a word for programs and in a sentence for people.
    func failure(
        _ error: String,
        _ description: String,
        _ details: [String: JSONValue] = [:]
    ) -> INSendMessageIntentResponse {
        var details = details
        details["error"] = .string(error)
        details["errorDescription"] = .string(description)
        return INSendMessageIntentResponse(code: .failure, details: details)
    }
}

extension INSendMessageIntent {
    /// The service that carries the message.
    var carrier: String {
        guard let name = self.serviceName, !name.isMissing else { return UnicornService.name }
        return name
    }
}
