import Foundation
import Yams

/// A file of YAML or JSON with the lines of its values.
struct YAMLFile {
    /// Its path as given.
    var path: String
    /// The document; nil for a file without one.
    var root: Node?

    /// Reads a file; YAML 1.2 holds JSON, so the same parser reads both.
    /// - Throws: ``CommandFailure``: no such file (66), or no YAML (the status given, with the line).
    init(_ path: String, invalid status: ExitStatus) throws(CommandFailure) {
        try self.init(path, text: InputFile.text(of: path), invalid: status)
    }

    /// Reads the text of a file.
    init(_ path: String, text: String, invalid status: ExitStatus) throws(CommandFailure) {
        self.path = path
        do {
            self.root = try compose(yaml: text)
        } catch let error as YamlError {
            throw CommandFailure(status, "\(path)\(Self.explanation(error, text: text))")
        } catch {
            throw CommandFailure(status, "\(path): \(error)")
        }
    }

    /// The line of a node.
    static func line(of node: Node) -> Int { node.mark?.line ?? 1 }

    private static func explanation(_ error: YamlError, text: String) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return ":\(mark.line):\(mark.column): this is not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.joined(separator: ", ")
            return ":\(context.mark.line): these keys stand twice in one mapping: \(names)"
        case .reader(let problem, let offset, _, _):
            let line = offset.map { text.utf8.prefix($0).count { $0 == 0x0A } + 1 }
            return "\(line.map { ":\($0)" } ?? ""): this cannot be read: \(problem)"
        default: return ": this is not YAML: \(error)"
        }
    }
}
