internal import DeclaredIntents
internal import IntentKit

/// A document of a file of YAML or JSON written by people: its content, with line numbers.
struct DefinitionDocument {
    let json: JSONValue
    /// The document with its lines; nil when its JSON has escapes that YAML does not know.
    let file: YAMLFile?

    /// Reads a file that holds one document.
    /// - Throws: ``OperationError``: file not found (66), neither YAML nor JSON (78, with the line).
    init(_ path: String) throws(OperationError) {
        let text = try InputFile.text(of: path)
        if path.hasSuffix(".json") {
            try self.init(json: text, path)
        } else {
            self.init(try YAMLFile(path, text: text, invalid: .configuration))
        }
    }

    /// Reads a file that may hold several documents of YAML, at least one.
    /// - Throws: ``OperationError``: file not found (66), neither YAML nor JSON (78, with the line).
    static func all(_ path: String) throws(OperationError) -> [DefinitionDocument] {
        let text = try InputFile.text(of: path)
        if path.hasSuffix(".json") { return [try Self(json: text, path)] }
        let documents = try YAMLFile.documents(path, text: text, invalid: .configuration)
        if documents.isEmpty { return [Self(try YAMLFile(path, text: "", invalid: .configuration))] }
        return documents.map(Self.init)
    }

    private init(_ file: YAMLFile) {
        self.json = file.json
        self.file = file
    }

    private init(json text: String, _ path: String) throws(OperationError) {
        // The JSON parser explains mistakes better, and knows escapes that YAML does not.
        do throws(JSONParsingError) {
            self.json = try JSONValue(parsing: text.utf8, maximumDepth: DocumentWeight.maximumDepth)
        } catch {
            let line = text.utf8.prefix(error.offset).count { $0 == 0x0A } + 1
            throw OperationError(.configuration, "\(path):\(line): this is not JSON: \(error.message)")
        }
        self.file = try? YAMLFile(path, text: text, invalid: .configuration)
    }

    /// The line of the value at a path; nil when lines are not known.
    func line(of path: JSONPath) -> Int? { self.file.map { $0.line(of: path) } }
}
