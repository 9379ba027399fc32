internal import IntentEvents

/// Iterates over a record's headers in the expected order.
struct HeaderWalk {
    private var rest: RecordHeaders
    /// The current header; nil after the last one.
    private(set) var header: RecordHeaders.Header?

    init(_ parts: RecordParts) {
        self.rest = parts.headers
        self.header = self.rest.next()
    }

    /// Moves to the next header.
    mutating func pass() { self.header = self.rest.next() }

    /// Passes a header with this name and this text, which needs no escape in JSON; false for any other.
    mutating func pass(_ name: StaticString, _ text: RecordBytes?) -> Bool {
        guard let text, let header, let value = header.value, header.name.isSame(as: name), value.isSame(as: text),
            text.needsNoEscape
        else { return false }
        self.pass()
        return true
    }
}
