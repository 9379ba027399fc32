public import IntentKit

/// The intents that a file declares, with everything that is wrong in it (R50).
///
/// A file is `{"intents": […]}`, an array of intents, or one intent. Only if ``problems`` is empty are all of its
/// intents among the ``definitions``.
public struct DefinitionFile: Sendable {
    /// The intents without problems, in the file's order.
    public private(set) var definitions: [IntentDefinition] = []
    /// What is wrong, in the file's order.
    public private(set) var problems: [DefinitionProblem] = []

    /// The directory to which its paths are relative.
    private let directory: String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - json: The file's JSON.
    ///   - directory: The directory of the file, to which relative paths in it refer; empty for the process's own.
    public init(_ json: JSONValue, directory: String = "") {
        self.directory = directory
        let top = JSONPath()
        if let array = json.array {
            self.read(array, at: top)
        } else if json["intents"] == nil {
            self.read(json, at: top)
        } else {
            var reader = MemberReader(json, at: top, what: "a file of intents")
            let intents = reader.array("intents")
            reader.finish()
            self.problems += reader.problems
            self.read(intents ?? [], at: top.appending("intents"))
        }
    }

    private mutating func read(_ intents: [JSONValue], at path: JSONPath) {
        var paths: [String: JSONPath] = [:]
        for (index, json) in intents.enumerated() {
            let itemPath = path.appending(index)
            if let name = json["name"]?.string {
                if let other = paths[name] {
                    let message = "\(ShownText.of(name)) is declared twice, first at \(other)"
                    self.problems.append(DefinitionProblem(path: itemPath.appending("name"), message: message))
                }
                paths[name] = paths[name] ?? itemPath
            }
            self.read(json, at: itemPath)
        }
    }

    private mutating func read(_ json: JSONValue, at path: JSONPath) {
        switch IntentDefinition.read(json, at: path, directory: self.directory) {
        case .success(let definition): self.definitions.append(definition)
        case .failure(let error): self.problems += error.problems
        }
    }
}
