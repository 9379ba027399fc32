public import IntentKit
public import SiriKitIntents

/// Finds calls in UnicornTalk.
public struct UTSearchCallHistoryIntentHandler: INSearchCallHistoryIntentHandling {
    /// The default for the largest number of calls that a search shows.
    public static let defaultMaximumResults = 50

    /// The largest number of calls that a search shows.
    let maximumResults: Int

    public init(maximumResults: Int = Self.defaultMaximumResults) { self.maximumResults = maximumResults }

    /// Accepts a range that begins before it ends.
    public func resolveDateCreated(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult {
        guard let range = intent.dateCreated else { return .notRequired() }
        return range.isBackwards ? .unsupported() : .success(with: range)
    }

    /// Looks for the person in the address book.
    public func resolveRecipient(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INPersonResolutionResult {
        guard let recipient = intent.recipient, !recipient.isMissing else { return .notRequired() }
        switch try await Callee.all([recipient], with: context)[0] {
        case .code, .invalidNumber: return .unsupported()
        case .number(let number): return .success(with: number)
        case .contacts(let contacts):
            let people = contacts.map { INPerson($0, context: context) }
            return people.count == 1 ? .success(with: people[0]) : .disambiguation(with: people)
        }
    }

    /// Accepts the types; all types when none is given.
    public func resolveCallTypes(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INCallRecordTypeOptionsResolutionResult {
        guard let types = intent.callTypes, !types.isMissing else { return .notRequired() }
        return .success(with: types)
    }

    /// Checks that the user is signed in and that the app is set up.
    public func confirm(
        intent: INSearchCallHistoryIntent,
        context: TurnContext
    ) async throws -> INSearchCallHistoryIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        let userID = context.user.id
        let problem = try await context.read("line") { try CallProblem.withApp(userID: userID, in: $0) }
        return problem?.response() ?? INSearchCallHistoryIntentResponse(code: .ready)
    }

    /// Performs the search; with too many results, the app continues.
    public func handle(
        intent: INSearchCallHistoryIntent,
        context: TurnContext
    ) async throws -> INSearchCallHistoryIntentResponse {
        var search = CallSearch(of: context.user.id)
        if let range = intent.dateCreated { search.want(range) }
        if let types = intent.callTypes { search.want(types) }
        if let capabilities = intent.callCapabilities { search.want(capabilities) }
        if let unseen = intent.unseen { search.want(unseen: unseen) }
        if let recipient = intent.recipient, !recipient.isMissing {
            guard let people = try await CallPlan.people([recipient], with: context) else {
                let description = "It is not known who is meant."
                return INSearchCallHistoryIntentResponse(
                    code: .failure,
                    details: ["error": "incomplete", "errorDescription": .string(description)]
                )
            }
            search.want(participant: people[0].identifier ?? people[0].handle?.value ?? "")
        }
        let limit = self.maximumResults + 1
        let calls = try await context.read("calls") { [search] in try search.calls(limit: limit, in: $0) }
            .map { $0.visible(to: context) }
        guard calls.count <= self.maximumResults else {
            let shown = calls.prefix(self.maximumResults).map(\.identifier)
            return INSearchCallHistoryIntentResponse(
                code: .continueInApp,
                userActivity: UserActivity(userInfo: ["callRecords": Array(shown).json])
            )
        }
        var response = INSearchCallHistoryIntentResponse(code: .success)
        response.callRecords = calls
        return response
    }
}
