/// The position of an interaction's request on `requests`: it identifies the interaction (R8).
package struct RequestPosition: Hashable, Comparable, Sendable {
    package var partition: Int64
    package var offset: Int64

    package init(partition: Int64, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// Reads `partition:offset`; nil for any other text.
    package init?(_ text: String) {
        var text = text
        guard let position = text.withUTF8({ RequestPosition(utf8: $0) }) else { return nil }
        self = position
    }

    /// Reads `partition:offset` from UTF-8; nil for any other text.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let partition = RecordPosition.number(bytes[..<colon]),
            let offset = RecordPosition.number(bytes[(colon + 1)...]), partition >= 0, offset >= 0
        else { return nil }
        self.init(partition: partition, offset: offset)
    }

    /// Ordered by partition, then by offset.
    package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.partition, lhs.offset) < (rhs.partition, rhs.offset) }
}

extension RequestID {
    /// Whether it has the form of a request's position, `partition:offset`.
    package var isPosition: Bool {
        let parts = self.text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { Int64($0).map { $0 >= 0 } ?? false }
    }
}
