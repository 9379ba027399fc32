package import IntentKit

/// An event's data: where they stand in the record that it was read from, or a value that was made.
///
/// What was read stays text: a value is made of what is asked for.
package struct EventData: Hashable, Sendable {
    private enum Form {
        /// A value that was made.
        case made(JSONValue)
        /// The value of a record, with the tape over it, or what is inside of it at a node.
        case read(RecordContent, ContiguousArray<JSONNode>, Int)
    }

    private var form: Form

    /// Takes a value that was made.
    init(_ value: JSONValue) { self.form = .made(value) }

    /// Takes a record whose value was read to these nodes.
    init(_ content: RecordContent, _ nodes: ContiguousArray<JSONNode>) {
        self.form = .read(content, nodes, JSONTape.root)
    }

    /// Narrows what was read to the member of that name, in ASCII; an object without members where there is none.
    mutating func narrow(to name: StaticString) {
        guard case .read(let content, let nodes, _) = self.form else { return }
        var member: Int?
        self.look { member = $0[name]?.node }
        self.form = member.map { .read(content, nodes, $0) } ?? .made(.object([:]))
    }

    /// Looks at the data where they stand; the view is good for this call alone.
    package func look(_ body: (JSONView) -> Void) {
        switch self.form {
        case .read(let content, let nodes, let node):
            content.withParts { parts in
                guard let value = parts.value else { return }
                nodes.withUnsafeBufferPointer { JSONTape.look(at: value, $0, node, body) }
            }
        case .made(let value):
            // What was written just now can be read, however deep it is.
            value.utf8.withUnsafeBufferPointer { try? JSONTape.look(at: $0, maximumDepth: .max, body) }
        }
    }

    /// All of it, as a tree: made anew each time where it was read.
    package var value: JSONValue {
        if case .made(let value) = self.form { return value }
        var value = JSONValue.null
        self.look { value = $0.value }
        return value
    }

    /// The member of that name, in ASCII, and nothing else of it.
    package subscript(_ name: StaticString) -> JSONValue? {
        var value: JSONValue?
        self.look { value = $0[name]?.value }
        return value
    }

    /// Whether two events' data are the same values.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }

    /// Hashes the value.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.value) }
}
