package import IntentKit

/// An event's data: in place in its record, or a value built in memory.
///
/// Data in a record stay text; a value is built only for what is asked for.
package struct EventData: Hashable, Sendable {
    private enum Form {
        /// A value built in memory.
        case made(JSONValue)
        /// The value of a record, with the tape over it, or a part of it at a node.
        case read(RecordContent, ContiguousArray<JSONNode>, Int)
    }

    private var form: Form

    init(_ value: JSONValue) { self.form = .made(value) }

    /// Wraps a record with the nodes of its parsed value, of which the data are one.
    init(_ content: RecordContent, _ nodes: ContiguousArray<JSONNode>, _ node: Int) {
        self.form = .read(content, nodes, node)
    }

    /// Passes a view of the data to the closure; the view is valid for this call alone.
    package func withView(_ body: (JSONView) -> Void) {
        switch self.form {
        case .read(let content, let nodes, let node):
            content.withParts { parts in
                guard let value = parts.value else { return }
                nodes.withUnsafeBufferPointer { JSONTape.withView(of: value, $0, node, body) }
            }
        case .made(let value):
            // A text that was just written can be read at any depth.
            value.utf8.withUnsafeBufferPointer { try? JSONTape.withView(of: $0, maximumDepth: .max, body) }
        }
    }

    /// All of it, as a tree; built again each time if it is in a record.
    package var value: JSONValue {
        if case .made(let value) = self.form { return value }
        var value = JSONValue.null
        self.withView { value = $0.value }
        return value
    }

    /// The member of that name, in ASCII, without building the rest.
    package subscript(_ name: StaticString) -> JSONValue? {
        var value: JSONValue?
        self.withView { value = $0[name]?.value }
        return value
    }

    /// Whether two events' data are the same values.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.value) }
}
