public import IntentKit
public import SiriKitIntents

extension UCSendMessageIntentHandler {
    /// Checks everything that could prevent the message, and reports its recipients.
    public func confirm(
        intent: INSendMessageIntent,
        context: TurnContext
    ) async throws -> INSendMessageIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await UnicornProblem.current(service: intent.carrier, context) {
        case .sessionLapsed?: return UnicornProblem.sessionLapsed.response(code: .failureRequiringAppLaunch)
        case .signedOut?: return UnicornProblem.signedOut.response(code: .failureRequiringInAppAuthentication)
        case .serviceNotAvailable?:
            let details = self.details(of: intent)
            return UnicornProblem.serviceNotAvailable
                .response(code: .failureMessageServiceNotAvailable, details: details)
        case nil: break
        }
        guard intent.saysSomething, let addressees = try await self.addressees(of: intent, with: context) else {
            return self.failure("incomplete", "The message says nothing, or has nobody to go to.")
        }
        if let file = (intent.attachments ?? []).first(where: { !$0.isAudio }) {
            let name = file.name ?? file.identifier ?? file.url ?? ""
            return self.failure("attachmentUnsupported", "\(name) is no recording.", ["attachment": file.json])
        }
        let content = intent.content ?? ""
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

    /// What the user should see before saying yes.
    private func details(of intent: INSendMessageIntent) -> JSONObject {
        var details: JSONObject = ["serviceName": .string(intent.carrier)]
        details["recipients"] = intent.recipients?.json
        details["speakableGroupName"] = intent.speakableGroupName?.json
        details["content"] = intent.content?.json
        details["attachments"] = intent.attachments?.json
        return details
    }

    /// Creates a refusal, with a word for programs and a sentence for people.
    func failure(
        _ error: String,
        _ description: String,
        _ details: JSONObject = [:]
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

    /// Whether there is a text or a recording to send.
    var saysSomething: Bool {
        !(self.content?.isMissing ?? true) || !(self.attachments?.isMissing ?? true)
    }

    /// What kind of message it is when it is sent.
    var sentType: INMessageType { self.attachments?.isMissing ?? true ? .text : .audio }
}
