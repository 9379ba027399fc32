/// A problem in the configuration: where it is, and what would be right.
struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place.
    var origin: ValueOrigin
    /// What is wrong, and what would be right.
    var message: String

    /// The place and the message.
    var description: String { "\(self.origin): \(self.message)" }
}
