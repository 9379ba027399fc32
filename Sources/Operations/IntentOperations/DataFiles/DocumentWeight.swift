/// The size of a value in a file written by people, once everything that the file repeats by reference is written out.
///
/// An alias in YAML, or a reference in a binary property list, costs a few bytes and repeats a whole value: a file of
/// 400 bytes can stand for gigabytes. Sizes are therefore added up before anything of that size exists.
package struct DocumentWeight {
    /// The most bytes that a file may have: 4 MiB.
    package static let maximumFileBytes = 4 << 20
    /// The most values and keys.
    static let maximumNodes = 500_000
    /// The most bytes of all texts.
    static let maximumTextBytes = 16 << 20
    /// The greatest depth of objects and lists.
    package static let maximumDepth = 64

    /// The number of values and keys.
    var nodes = 1
    /// The bytes of all texts.
    var bytes = 0
    /// The depth below the value; 0 for one that holds no other.
    var depth = 0

    /// Adds a value that this one holds.
    mutating func add(_ part: DocumentWeight) {
        self.nodes += part.nodes
        self.bytes += part.bytes
        self.depth = max(self.depth, part.depth + 1)
    }

    /// The bound that is exceeded, in words that follow "holds"; nil for none.
    var excess: String? {
        if self.nodes > Self.maximumNodes { return "more than \(Self.maximumNodes) values, repetitions included" }
        if self.bytes > Self.maximumTextBytes {
            return "more than \(Self.maximumTextBytes >> 20) MiB of text, repetitions included"
        }
        return self.depth >= Self.maximumDepth ? "values at a greater depth than \(Self.maximumDepth)" : nil
    }
}
