/// A sentence with placeholders in braces: `Which {parameter} do you mean?`; `{{` and `}}` stand for braces themselves.
package struct PromptTemplate: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case name(String)
    }

    /// What is wrong with it; nil when nothing is.
    package let problem: String?

    private let parts: [Part]

    package init(_ text: String) {
        var parts: [Part] = []
        var current = ""
        var problem: String?
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
                current.append(character)
                rest = rest.dropFirst(2)
            } else if character == "{", let end = rest.firstIndex(of: "}") {
                parts.append(.text(current))
                parts.append(.name(String(rest[rest.index(after: rest.startIndex)..<end])))
                current = ""
                rest = rest[rest.index(after: end)...]
            } else {
                if character == "{" || character == "}" {
                    problem = problem ?? "unmatched brace; write {{ or }} for a literal brace"
                }
                current.append(character)
                rest = rest.dropFirst()
            }
        }
        self.parts = parts + [.text(current)]
        self.problem = problem
    }

    /// The placeholders' names, in order.
    package var names: [String] {
        self.parts.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// The sentence with its placeholders filled in; unknown ones are left out.
    package func filled(_ value: (String) -> String?) -> String {
        self.parts.reduce(into: "") { text, part in
            switch part {
            case .text(let words): text += words
            case .name(let name): text += value(name) ?? ""
            }
        }
    }
}
