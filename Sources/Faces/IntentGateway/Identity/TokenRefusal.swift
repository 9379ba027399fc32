/// A token is not accepted.
///
/// The client learns that, and whether a new token would help; which check failed is counted for the operator alone.
package struct TokenRefusal: Error, Hashable, Sendable {
    package enum Reason: String, CaseIterable, Sendable {
        /// There is no token.
        case missing
        case malformed, algorithm
        /// The issuer has no such key.
        case key
        case signature, issuer, audience
        case expired
        case notYetValid
        /// A claim that the gateway needs is missing or has another form.
        case claims
        /// The service may not act for users, or names no valid one.
        case actAs
        /// The issuer's keys have not been read yet.
        case noKeys
    }

    package var reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// What the client gets.
    package var error: GatewayError {
        switch self.reason {
        case .missing: GatewayError(.unauthorized, "A token is needed: send Authorization: Bearer TOKEN.")
        case .expired: GatewayError(.unauthorized, "The token has expired.")
        case .malformed, .algorithm, .key, .signature, .issuer, .audience, .notYetValid, .claims:
            GatewayError(.unauthorized, "The token is not valid here.")
        case .actAs:
            GatewayError(
                .forbidden,
                "The header Intentd-User needs the scope \(Caller.Scope.actAs.rawValue), and one valid user id."
            )
        case .noKeys:
            GatewayError(.unavailable, "The keys of the tokens' issuer have not been read yet.", retryAfter: 1)
        }
    }
}
