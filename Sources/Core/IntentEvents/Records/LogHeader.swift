/// One header of a record; a record may hold several of one name.
package struct LogHeader: Hashable, Sendable {
    package var name: String
    /// The header's bytes, or nil for Kafka's null value.
    package var value: [UInt8]?

    package init(_ name: String, bytes value: [UInt8]?) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = Array(value.utf8)
    }

    /// The value as text; nil when it is null or not UTF-8.
    package var text: String? { self.value.flatMap { String(validating: $0, as: UTF8.self) } }
}
