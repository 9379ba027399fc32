/// Something wrong in a file of intent definitions.
public struct DefinitionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the value that is wrong.
    public var path: JSONPath
    /// What is wrong, and what would be right.
    public var message: String

    public init(path: JSONPath, message: String) {
        self.path = path
        self.message = message
    }

    public var description: String { "\(self.path): \(self.message)" }
}

struct InvalidDefinition: Error {
    /// What is wrong with it; at least one.
    var problems: [DefinitionProblem]
}
