public import IntentKit
public import SiriKitIntents

/// Finds messages in UnicornChat.
public struct UCSearchForMessagesIntentHandler: INSearchForMessagesIntentHandling {
    /// The default for the largest number of messages that a search may find.
    public static let defaultMaximumResults = 50

    /// The largest number of messages that a search may find.
    let maximumResults: Int

    public init(maximumResults: Int = Self.defaultMaximumResults) { self.maximumResults = maximumResults }

    /// Looks for each recipient in the address book.
    public func resolveRecipients(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        try await self.resolve(intent.recipients, with: context)
    }

    /// Looks for each sender in the address book.
    public func resolveSenders(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        try await self.resolve(intent.senders, with: context)
    }

    /// Accepts attributes that a message can have at once: nothing is both read and unread.
    public func resolveAttributes(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> INMessageAttributeOptionsResolutionResult {
        guard let attributes = intent.attributes, !attributes.isMissing else { return .notRequired() }
        let contradictions: [INMessageAttributeOptions] = [[.read, .unread], [.flagged, .unflagged]]
        return contradictions.contains(where: attributes.isSuperset) ? .unsupported() : .success(with: attributes)
    }

    /// Accepts a range that begins before it ends.
    public func resolveDateTimeRange(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult {
        guard let range = intent.dateTimeRange else { return .notRequired() }
        return range.isBackwards ? .unsupported() : .success(with: range)
    }

    /// Looks for each group among those stored.
    public func resolveSpeakableGroupNames(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INSpeakableStringResolutionResult] {
        guard let names = intent.speakableGroupNames, !names.isMissing else { return [.notRequired()] }
        var results: [INSpeakableStringResolutionResult] = []
        for name in names {
            let groups =
                try await AddressBook.groups(
                    matching: name,
                    of: "INSearchForMessagesIntent.speakableGroupNames",
                    with: context
                )
                .map { INSpeakableString(spokenPhrase: $0.name, identifier: $0.identifier) }
            results.append(groups.count == 1 ? .success(with: groups[0]) : .disambiguation(with: groups))
        }
        return results
    }

    /// Checks that the user is signed in and that the service is available.
    public func confirm(
        intent: INSearchForMessagesIntent,
        context: TurnContext
    ) async throws -> INSearchForMessagesIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        return switch try await UnicornProblem.current(context) {
        case .sessionLapsed?: UnicornProblem.sessionLapsed.response(code: .failureRequiringAppLaunch)
        case .signedOut?: UnicornProblem.signedOut.response(code: .failureRequiringInAppAuthentication)
        case .serviceNotAvailable?:
            UnicornProblem.serviceNotAvailable.response(code: .failureMessageServiceNotAvailable)
        case nil: INSearchForMessagesIntentResponse(code: .ready)
        }
    }

    /// Performs the search; it changes nothing, so it has no effect.
    public func handle(
        intent: INSearchForMessagesIntent,
        context: TurnContext
    ) async throws -> INSearchForMessagesIntentResponse {
        guard let search = try await self.search(intent, context) else {
            let description = "It is not known who or which group is meant."
            return INSearchForMessagesIntentResponse(
                code: .failure,
                details: ["error": "incomplete", "errorDescription": .string(description)]
            )
        }
        let limit = self.maximumResults + 1
        let messages = try await context.read("messages") { try search.messages(limit: limit, in: $0) }
        guard messages.count <= self.maximumResults else {
            return INSearchForMessagesIntentResponse(
                code: .failureMessageTooManyResults,
                userActivity: UserActivity(userInfo: ["maximumResults": self.maximumResults.json]),
                details: ["maximumResults": self.maximumResults.json]
            )
        }
        var response = INSearchForMessagesIntentResponse(code: .success)
        response.messages = messages
        return response
    }
}
