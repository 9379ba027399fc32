/// Input that cannot be sent, with an explanation for the person who typed it.
package struct NotUnderstood: Error, Hashable, Sendable {
    /// What is wrong, and what would be right.
    package var message: String

    package init(_ message: String) { self.message = message }
}
