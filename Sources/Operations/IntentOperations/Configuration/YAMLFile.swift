internal import DeclaredIntents
internal import Foundation
internal import Yams

/// A document of a file of YAML or JSON, with the lines of its values.
struct YAMLFile {
    /// The file's path as given.
    var path: String
    /// The document; nil for a file without one.
    var root: Node?

    /// Reads a file that holds one document; YAML 1.2 holds JSON, so the same parser reads both.
    /// - Throws: ``OperationError``: file not found (66), or no YAML (the code given, with the line).
    init(_ path: String, invalid code: OperationError.Code) throws(OperationError) {
        try self.init(path, text: InputFile.text(of: path), invalid: code)
    }

    /// Reads the text of a file that holds one document.
    init(_ path: String, text: String, invalid code: OperationError.Code) throws(OperationError) {
        let documents = try Self.documents(path, text: text, invalid: code)
        self = documents.first ?? YAMLFile(path: path, root: nil)
        if let second = documents.dropFirst().first {
            throw OperationError(
                code,
                "\(path):\(second.root.map(Self.line) ?? 1): a second document begins here, but this file "
                    + "must hold only one: merge them, or move the second one to another file"
            )
        }
    }

    private init(path: String, root: Node?) {
        self.path = path
        self.root = root
    }

    /// Reads the documents of a text, which `---` separates.
    ///
    /// Empty ones beside others are left out.
    /// - Throws: ``OperationError`` with the code given: no YAML, or more than ``DocumentWeight`` allows.
    static func documents(
        _ path: String,
        text: String,
        invalid code: OperationError.Code
    ) throws(OperationError) -> [YAMLFile] {
        do throws(YAMLBounds.Excess) {
            try YAMLBounds.check(text)
        } catch {
            throw OperationError(code, "\(path):\(error.line): this file holds \(error.message)")
        }
        do {
            let parser = try Parser(yaml: text)
            var documents: [YAMLFile] = []
            while let root = try parser.nextRoot() { documents.append(YAMLFile(path: path, root: root)) }
            return documents.count > 1 ? documents.filter { !$0.isEmpty } : documents
        } catch let error as YamlError {
            throw OperationError(code, "\(path)\(Self.explanation(error, text: text))")
        } catch {
            throw OperationError(code, "\(path): \(error)")
        }
    }

    /// Whether nothing is written in the document.
    private var isEmpty: Bool { self.root?.scalar.map { $0.style == .plain && $0.string.isEmpty } ?? false }

    static func line(of node: Node) -> Int { node.mark?.line ?? 1 }

    private static func explanation(_ error: YamlError, text: String) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return ":\(mark.line):\(mark.column): this is not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map(ShownText.of).joined(separator: ", ")
            return ":\(context.mark.line): duplicate keys in one mapping: \(names)"
        case .reader(let problem, let offset, _, _):
            let line = offset.map { text.utf8.prefix($0).count { $0 == 0x0A } + 1 }
            return "\(line.map { ":\($0)" } ?? ""): this cannot be read: \(problem)"
        default: return ": this is not YAML: \(error)"
        }
    }
}
