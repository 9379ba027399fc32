/// What a handler posted may have been received, and it is not known what became of it (R76).
///
/// It is looked up in the next try. Where there is none, an operator decides: nothing is posted again, and the
/// interaction does not end, as long as nobody knows.
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
