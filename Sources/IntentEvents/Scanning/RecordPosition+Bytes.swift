extension RecordPosition {
    /// Reads `topic/partition/offset` from UTF-8 as `RecordPosition(_:)` does from text.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        let slash = UInt8(ascii: "/")
        if let last = bytes.lastIndex(of: slash), let first = bytes[..<last].lastIndex(of: slash),
            let topic = Topic(utf8: UnsafeBufferPointer(rebasing: bytes[..<first])),
            let partition = Self.number(bytes[(first + 1)..<last]), let offset = Self.number(bytes[(last + 1)...])
        {
            self.init(topic, Int(partition), offset)
        } else {
            // Signs, and numbers with more digits than certainly fit.
            self.init(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// A number of up to 18 digits, without anything else.
    package static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        guard 1...18 ~= digits.count else { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}

extension Topic {
    private static let all = Topic.allCases

    /// The topic with a name in UTF-8.
    init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard let known = Self.all.first(where: { RecordParts.areEqual(bytes, $0.rawValue) }) else { return nil }
        self = known
    }
}
