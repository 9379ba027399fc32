internal import IntentKit
internal import IntentOperations

/// Which tokens are accepted, and what their claims mean.
package struct TokenSettings: Sendable {
    /// A file, or a URL of http or https; nil for no tokens.
    package var keys: String?
    package var issuer = ""
    package var audiences: Set<String> = []
    package var clockSkew = Duration.seconds(30)
    package var userClaim = "sub"
    package var authenticatedClaim: String?
    package var authorizationClaim: String?
    /// Client ids, or claims as `NAME=VALUE`.
    package var agents: Set<String> = []

    package init() {}

    init(_ configuration: Configuration) {
        self.keys = configuration.text(.gatewayKeys)
        self.issuer = configuration.text(.gatewayIssuer) ?? ""
        self.audiences = Set(configuration.list(.gatewayAudience))
        self.clockSkew = configuration.duration(.gatewayClockSkew)
        self.userClaim = configuration.text(.gatewayUserClaim) ?? self.userClaim
        self.authenticatedClaim = configuration.text(.gatewayAuthenticatedClaim)
        self.authorizationClaim = configuration.text(.gatewayAuthorizationClaim)
        self.agents = Set(configuration.list(.gatewayAgents))
    }

    /// Whether the client is an agent, by its id or by a claim of its token.
    func isAgent(_ clientID: String?, _ claims: JSONObject) -> Bool {
        if let clientID, self.agents.contains(clientID) { return true }
        return self.agents.contains { agent in
            let parts = agent.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let claim = claims[String(parts[0])] else { return false }
            return claim == .string(String(parts[1])) || claim.bool.map { "\($0)" == parts[1] } ?? false
        }
    }
}
