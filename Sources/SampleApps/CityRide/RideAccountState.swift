/// Whether a user's account can be used.
public enum RideAccountState: String, Sendable, CaseIterable, Codable {
    /// It can.
    case active
    /// The user has to verify who they are.
    case mustVerifyCredentials
    /// The user has to accept new terms of use.
    case mustAcceptTerms
}
