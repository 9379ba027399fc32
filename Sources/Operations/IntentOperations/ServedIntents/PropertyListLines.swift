internal import DeclaredIntents

/// The lines of the values in an XML property list, which Foundation's reader does not report.
///
/// It follows the tags of a list that Foundation has found valid, and knows nothing else of XML.
struct PropertyListLines {
    private indirect enum Node {
        case scalar(line: Int)
        case array(line: Int, [Node])
        case dictionary(line: Int, [String: (line: Int, node: Node)])

        var line: Int {
            switch self {
            case .scalar(let line), .array(let line, _), .dictionary(let line, _): line
            }
        }
    }

    private var root: Node?
    private let text: [UInt8]
    private var position = 0
    private var lineNumber = 1

    /// Finds the lines of a list's values.
    init(_ text: [UInt8]) {
        self.text = text
        while let tag = self.nextTag() {
            if tag.name == "plist" { continue }
            self.root = self.node(tag)
            break
        }
    }

    /// The line of the value at a path, or of the nearest enclosing value; nil for a file that is not XML.
    func line(of path: JSONPath) -> Int? {
        guard var node = self.root else { return nil }
        var line = node.line
        for component in path.components {
            switch (component, node) {
            case (.key(let name), .dictionary(_, let members)):
                guard let member = members[name] else { return line }
                node = member.node
                line = member.line
            case (.index(let index), .array(_, let elements)) where elements.indices.contains(index):
                node = elements[index]
                line = node.line
            case (.key, _), (.index, _): return line
            }
        }
        return line
    }

    private struct Tag {
        var name: String
        var line: Int
        var isClosed: Bool
    }

    private mutating func node(_ tag: Tag) -> Node {
        if tag.isClosed {
            switch tag.name {
            case "array": return .array(line: tag.line, [])
            case "dict": return .dictionary(line: tag.line, [:])
            default: return .scalar(line: tag.line)
            }
        }
        switch tag.name {
        case "array":
            var elements: [Node] = []
            while let next = self.nextTag(), next.name != "/array" { elements.append(self.node(next)) }
            return .array(line: tag.line, elements)
        case "dict":
            var members: [String: (line: Int, node: Node)] = [:]
            while let next = self.nextTag(), next.name == "key" {
                let key = self.content()
                _ = self.nextTag()
                guard let value = self.nextTag() else { break }
                members[key] = (next.line, self.node(value))
            }
            return .dictionary(line: tag.line, members)
        default:
            while let next = self.nextTag(), next.name != "/\(tag.name)" {}
            return .scalar(line: tag.line)
        }
    }

    /// The text up to the next tag; keys of vocabularies have no escapes.
    private func content() -> String {
        let end = self.text[self.position...].firstIndex(of: UInt8(ascii: "<")) ?? self.text.endIndex
        return String(decoding: self.text[self.position..<end], as: UTF8.self)
    }

    /// The next tag; comments, processing instructions and the document type are skipped.
    private mutating func nextTag() -> Tag? {
        while self.skip(to: "<") {
            let line = self.lineNumber
            if self.starts(with: "<!--") {
                guard self.skip(to: "-->") else { return nil }
            } else if self.starts(with: "<?") || self.starts(with: "<!") {
                guard self.skip(to: ">") else { return nil }
            } else {
                let start = self.position + 1
                guard self.skip(to: ">") else { return nil }
                let inner = self.text[start..<self.position]
                let name = inner.prefix { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
                let isClosed = inner.last == UInt8(ascii: "/")
                let bare = isClosed && name.count == inner.count ? name.dropLast() : name
                self.position += 1
                return Tag(name: String(decoding: bare, as: UTF8.self), line: line, isClosed: isClosed)
            }
        }
        return nil
    }

    private func starts(with text: String) -> Bool { self.text[self.position...].starts(with: text.utf8) }

    /// Moves to the beginning of a text, counting lines.
    private mutating func skip(to text: String) -> Bool {
        while self.position < self.text.count {
            if self.starts(with: text) { return true }
            if self.text[self.position] == 0x0A { self.lineNumber += 1 }
            self.position += 1
        }
        return false
    }
}
