internal import IntentEvents
internal import IntentKit

/// A record's value during scanning: its bytes, and the positions of its parts.
struct ScannedValue {
    /// The value.
    let bytes: RecordBytes
    /// The positions of its parts.
    let tape: JSONTape
    /// Holds bytes that are not in the value in their final form.
    let arguments: ArgumentBytes

    /// The member of that name; nil when the node is no object, or has none.
    func member(_ name: StaticString, of node: Int? = JSONTape.root) -> Int? {
        self.tape.member(name, of: node, in: self.bytes)
    }

    /// The UTF-8 of a string; nil for anything else.
    func text(_ node: Int?) -> RecordBytes? {
        guard let content = self.tape.content(node, in: self.bytes) else { return nil }
        return content.isEscaped ? self.arguments.add(self.tape.string(node, in: self.bytes)) : content.bytes
    }

    /// The UTF-8 of a member that is a string.
    func text(_ name: StaticString, of node: Int? = JSONTape.root) -> RecordBytes? {
        self.text(self.member(name, of: node))
    }

    /// The integer of a member.
    func integer(_ name: StaticString) -> Int64? { self.tape.integer(self.member(name), in: self.bytes) }

    /// Whether a member is `true`.
    func isTrue(_ name: StaticString, of node: Int? = JSONTape.root) -> Bool {
        self.tape.isTrue(self.member(name, of: node))
    }

    /// The canonical text of a value.
    func canonicalText(_ node: Int) -> RecordBytes {
        self.tape.canonicalContent(node, in: self.bytes)
            ?? self.arguments.add(self.tape.canonicalText(node, in: self.bytes))
    }
}
