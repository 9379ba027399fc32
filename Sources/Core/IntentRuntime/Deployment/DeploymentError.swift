/// The topics or the store do not fit this worker (R6, R31): nothing is started (exit status 78).
package struct DeploymentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with names and numbers, and what would be right.
    package var description: String

    /// Describes what is wrong.
    package init(_ description: String) { self.description = description }
}
