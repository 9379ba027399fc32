/// Something that is read out of its JSON form where it stands, without a tree of it.
package protocol JSONReadable {
    /// Reads the form; nil when it is none.
    init?(_ json: JSONView)
}

extension JSONReadable {
    /// Reads the form in a text; nil when it is none, or no JSON.
    package init?(text: [UInt8]) {
        self.init(text: text, maximumDepth: JSONValue.defaultMaximumDepth)
    }

    private init?(text: [UInt8], maximumDepth: Int) {
        var read: Self?
        text.withUnsafeBufferPointer { bytes in
            try? JSONTape.look(at: bytes, maximumDepth: maximumDepth) { read = Self($0) }
        }
        guard let read else { return nil }
        self = read
    }

    /// Reads the form of which there is a tree only; nil when it is none.
    package init?(json: JSONValue) {
        // What was written just now can be read, however deep it is.
        self.init(text: json.utf8, maximumDepth: .max)
    }
}
