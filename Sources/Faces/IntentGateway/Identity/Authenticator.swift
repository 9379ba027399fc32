internal import Foundation
package import IntentEvents
package import LocalHTTP

/// Finds out on whose behalf a request is made.
package struct Authenticator: Sendable {
    private enum Mode: Sendable {
        /// Everybody is that user: for development, on loopback.
        case development(UserID)
        case tokens(TokenVerifier)
    }

    private let mode: Mode

    /// Callers are those of their tokens.
    package init(_ verifier: TokenVerifier) { self.mode = .tokens(verifier) }

    /// All callers are this user.
    package init(developmentUser: UserID) { self.mode = .development(developmentUser) }

    package var isForDevelopment: Bool { if case .development = self.mode { true } else { false } }

    /// The caller of a request; a service may name another user in `Intentd-User`.
    /// - Throws: ``TokenRefusal``.
    package func caller(of request: HTTPServerRequest) async throws(TokenRefusal) -> Caller {
        let headers = request.headers.all("Authorization")
        guard headers.count <= 1 else { throw TokenRefusal(.malformed) }
        var caller = try await self.caller(with: headers.first.map(Self.token) ?? nil)
        let users = request.headers.all("Intentd-User")
        guard let user = users.first else { return caller }
        guard caller.scopes.contains(.actAs), users.count == 1, let id = user.removingPercentEncoding,
            TokenVerifier.isUserID(id)
        else { throw TokenRefusal(.actAs) }
        caller.userID = UserID(id)
        return caller
    }

    /// The caller with a token that came in another way than in a header.
    /// - Throws: ``TokenRefusal``.
    package func caller(with token: String?) async throws(TokenRefusal) -> Caller {
        switch self.mode {
        case .development(let user): return Caller(userID: user)
        case .tokens(let verifier):
            guard let token else { throw TokenRefusal(.missing) }
            return try await verifier.caller(with: token)
        }
    }

    /// How many seconds are left until a token expires; 0 where there are no tokens.
    func secondsUntil(_ time: Timestamp) -> Int64 {
        if case .tokens(let verifier) = self.mode { verifier.secondsUntil(time) } else { 0 }
    }

    /// The token of the header; nil for another scheme.
    private static func token(_ header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
