/// A header's name and bytes, as the codec reads and writes them.
package struct EventHeader: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The bytes; nil for a null value.
    package var value: [UInt8]?

    /// Makes a header.
    package init(_ name: String, _ value: [UInt8]?) {
        self.name = name
        self.value = value
    }

    /// Makes a header of text.
    package init(_ name: String, _ value: String) {
        self.init(name, Array(value.utf8))
    }
}
