internal import IntentEvents

/// Goes over a record's headers in the order in which they are expected.
struct HeaderWalk {
    private var rest: RecordHeaders
    /// The header that was reached; nil behind the last one.
    private(set) var header: RecordHeaders.Header?

    /// Begins with the first header.
    init(_ parts: RecordParts) {
        self.rest = parts.headers
        self.header = self.rest.next()
    }

    /// Goes on to the next header.
    mutating func pass() { self.header = self.rest.next() }

    /// Passes a header that has this name and this text, which stands for itself in JSON; false for any other.
    mutating func pass(_ name: StaticString, _ text: RecordBytes?) -> Bool {
        guard let text, let header, let value = header.value, header.name.isSame(as: name), value.isSame(as: text),
            text.needsNoEscape
        else { return false }
        self.pass()
        return true
    }
}
