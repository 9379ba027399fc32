package import IntentEvents

/// On whose behalf a request is made, and what its client may do (R85).
///
/// It is made of a verified token, and of nothing else that a client sends.
package struct Caller: Hashable, Sendable {
    /// What a token allows.
    package enum Scope: String, CaseIterable, Hashable, Sendable {
        /// Request intents, cancel them, set vocabularies, report for the app.
        case ask = "intents.ask"
        /// Answer prompts.
        case answer = "intents.answer"
        /// Read interactions and events.
        case read = "intents.read"
        /// Act for the user that a request names, as a service.
        case actAs = "intents.act-as"
    }

    /// The user.
    package var userID: UserID
    /// The client that the token was issued to; it becomes `ce_clientid`.
    package var clientID: String?
    package var scopes: Set<Scope>
    /// Whether the client is an agent: it may not confirm what only the user may confirm (R89).
    package var isAgent: Bool
    /// `user.authenticated` of the events that are sent for the caller.
    package var isAuthenticated: Bool
    /// `user.authorization` of the events that are sent for the caller; nil for the default.
    package var authorization: String?
    /// When the token expires; a stream of events ends then.
    package var expiresAt: Timestamp?

    package init(
        userID: UserID,
        clientID: String? = nil,
        scopes: Set<Scope> = Set(Scope.allCases),
        isAgent: Bool = false,
        isAuthenticated: Bool = true,
        authorization: String? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.userID = userID
        self.clientID = clientID
        self.scopes = scopes
        self.isAgent = isAgent
        self.isAuthenticated = isAuthenticated
        self.authorization = authorization
        self.expiresAt = expiresAt
    }
}
