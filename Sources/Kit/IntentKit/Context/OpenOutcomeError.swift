/// A handler's post may have been received, and its outcome is unknown (R76).
///
/// The next try looks the outcome up. If there is no next try, an operator decides. Until then nothing is posted again,
/// and the interaction does not end.
package struct OpenOutcomeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was posted or asked, and the result.
    package var description: String
    /// Whether a later try may find out.
    package var isTransient: Bool
    /// How long the service asks to wait.
    package var retryAfter: Duration?

    package init(description: String, isTransient: Bool, retryAfter: Duration? = nil) {
        self.description = description
        self.isTransient = isTransient
        self.retryAfter = retryAfter
    }
}
