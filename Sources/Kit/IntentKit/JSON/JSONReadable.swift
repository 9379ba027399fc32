/// A type that is read from its JSON form in place, without a tree of values.
package protocol JSONReadable {
    /// Reads the form; nil when it does not fit.
    init?(_ json: JSONView)
}

extension JSONReadable {
    /// Reads the form from a text; nil when it does not fit or is no JSON.
    package init?(text: [UInt8]) {
        self.init(text: text, maximumDepth: JSONValue.defaultMaximumDepth)
    }

    private init?(text: [UInt8], maximumDepth: Int) {
        var read: Self?
        text.withUnsafeBufferPointer { bytes in
            try? JSONTape.withView(of: bytes, maximumDepth: maximumDepth) { read = Self($0) }
        }
        guard let read else { return nil }
        self = read
    }

    /// Reads the form from a tree; nil when it does not fit.
    package init?(json: JSONValue) {
        // A text that was just written can be read at any depth.
        self.init(text: json.utf8, maximumDepth: .max)
    }
}
