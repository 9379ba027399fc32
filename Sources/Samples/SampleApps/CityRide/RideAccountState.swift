/// The state of a user's account.
public enum RideAccountState: String, Sendable, CaseIterable, Codable {
    case active
    /// The user must verify their identity.
    case mustVerifyCredentials
    /// The user must accept new terms of use.
    case mustAcceptTerms
}
