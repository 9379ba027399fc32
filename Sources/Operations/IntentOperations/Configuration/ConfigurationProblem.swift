/// A problem in the configuration: where it is, and what would be right.
struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    var origin: ValueOrigin
    /// What is wrong, and what would be right.
    var message: String

    var description: String { "\(self.origin): \(self.message)" }
}
