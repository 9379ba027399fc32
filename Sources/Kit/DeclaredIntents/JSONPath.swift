/// The position of a value in a document, such as `intents[3].parameters[1].minimum`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    /// One step into a value.
    public enum Component: Hashable, Sendable {
        case key(String)
        /// The element at that index, from 0.
        case index(Int)
    }

    /// The steps from the document's top.
    public var components: [Component]

    /// Creates a path of steps; none for the document itself.
    public init(_ components: [Component] = []) { self.components = components }

    /// The path to a member of this value.
    public func appending(_ key: String) -> JSONPath { JSONPath(self.components + [.key(key)]) }

    /// The path to an element of this value.
    public func appending(_ index: Int) -> JSONPath { JSONPath(self.components + [.index(index)]) }

    /// The steps joined by dots and brackets; `the document` when there are none.
    ///
    /// Long keys are cut.
    public var description: String {
        if self.components.isEmpty { return "the document" }
        var text = ""
        for component in self.components {
            switch component {
            case .key(let key):
                let shown = ShownText.of(key)
                text += text.isEmpty ? shown : ".\(shown)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
