internal import IntentKit

/// JSON of tokens and keys: what two readers could understand differently is refused.
enum StrictJSON {
    private static let maximumDepth = 8

    /// The object in a text; nil for anything else, and when it has two members of one name.
    static func object(_ bytes: [UInt8]) -> JSONObject? {
        var object: JSONObject?
        bytes.withUnsafeBufferPointer { buffer in
            try? JSONTape.withView(of: buffer, maximumDepth: Self.maximumDepth) { view in
                var count = 0
                view.forEachMember { _, _ in count += 1 }
                guard let found = view.value.object, found.count == count else { return }
                object = found
            }
        }
        return object
    }
}
