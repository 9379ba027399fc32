/// Something wrong in the configuration: where, and what would be right.
struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where.
    var origin: ValueOrigin
    /// What is wrong, and what would be right.
    var message: String

    /// The place and the message.
    var description: String { "\(self.origin): \(self.message)" }
}
