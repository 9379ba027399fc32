internal import DeclaredIntents
internal import IntentKit
internal import Yams

extension YAMLFile {
    /// The document as JSON: in YAML 1.2's core schema, so that `13:30`, `no` and `2026-11-21` are texts.
    var json: JSONValue { self.root.map(Self.json) ?? .null }

    private static func json(_ node: Node) -> JSONValue {
        switch node {
        case .scalar(let scalar): Self.json(scalar)
        case .sequence(let sequence): .array(sequence.map(Self.json))
        case .mapping(let mapping):
            .object(Dictionary(mapping.map { ($0.key.scalar?.string ?? "", Self.json($0.value)) }) { $1 })
        case .alias: .null
        }
    }

    private static func json(_ scalar: Node.Scalar) -> JSONValue {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            // What would be a number in JSON is one; `+1`, `0x1F` or `.5` stay texts.
            guard let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first),
                let value = try? JSONValue(parsing: text), value.number != nil
            else { return .string(text) }
            return value
        }
    }

    /// The line of the value at a path, or of the nearest enclosing value when it is missing.
    func line(of path: JSONPath) -> Int {
        guard var node = self.root else { return 1 }
        var line = Self.line(of: node)
        for component in path.components {
            switch component {
            case .key(let name):
                guard let (key, value) = node.mapping?.first(where: { $0.key.scalar?.string == name }) else {
                    return line
                }
                node = value
                line = Self.line(of: key)
            case .index(let index):
                guard let sequence = node.sequence, sequence.indices.contains(index) else { return line }
                node = sequence[index]
                line = Self.line(of: node)
            }
        }
        return line
    }
}
