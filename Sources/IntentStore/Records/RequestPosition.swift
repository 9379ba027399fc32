internal import IntentEvents

/// The position of an interaction's request on `requests`: it identifies the interaction (R8).
struct RequestPosition: Hashable, Comparable, Sendable {
    /// The partition.
    var partition: Int64
    /// The offset.
    var offset: Int64

    /// Makes a position.
    init(partition: Int64, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// Reads `partition:offset`; nil for any other text.
    init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let partition = Int64(text[..<colon]), let offset = Int64(text[text.utf8.index(after: colon)...]),
            partition >= 0, offset >= 0
        else { return nil }
        self.init(partition: partition, offset: offset)
    }

    /// Reads `partition:offset` from UTF-8 as ``init(_:)`` does from text.
    init?(utf8 bytes: RecordBytes) {
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let partition = RecordPosition.number(bytes[..<colon]),
            let offset = RecordPosition.number(bytes[(colon + 1)...])
        {
            self.init(partition: partition, offset: offset)
        } else {
            // Signs, and numbers with more digits than certainly fit.
            self.init(bytes.text)
        }
    }

    /// Ordered by partition, then by offset.
    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.partition, lhs.offset) < (rhs.partition, rhs.offset) }

    /// `partition:offset`.
    var text: String { "\(self.partition):\(self.offset)" }
}
