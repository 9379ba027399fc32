import DeclaredIntents
import IntentKit

/// A file of YAML or JSON written by people: its content, with line numbers.
struct DefinitionDocument {
    /// The content.
    let json: JSONValue
    /// The file with its lines; nil when its JSON has escapes that YAML does not know.
    let file: YAMLFile?

    /// Reads a file.
    /// - Throws: ``CommandFailure``: no such file (66), neither YAML nor JSON (78, with the line).
    init(_ path: String) throws(CommandFailure) {
        let text = try InputFile.text(of: path)
        guard path.hasSuffix(".json") else {
            let file = try YAMLFile(path, text: text, invalid: .configuration)
            self.json = file.json
            self.file = file
            return
        }
        // The JSON parser explains mistakes better, and knows escapes that YAML does not.
        do throws(JSONParsingError) {
            self.json = try JSONValue(parsing: text)
        } catch {
            let line = text.utf8.prefix(error.offset).count { $0 == 0x0A } + 1
            throw CommandFailure(.configuration, "\(path):\(line): this is not JSON: \(error.message)")
        }
        self.file = try? YAMLFile(path, text: text, invalid: .configuration)
    }

    /// The line of the value at a path; nil when lines are not known.
    func line(of path: JSONPath) -> Int? { self.file.map { $0.line(of: path) } }
}
