/// The position of a record, with the topic's short name.
package struct RecordPosition: Hashable, Sendable, CustomStringConvertible {
    package var topic: Topic
    package var partition: Int
    package var offset: Int64

    package init(_ topic: Topic, _ partition: Int, _ offset: Int64) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
    }

    /// `topic/partition/offset`.
    package var description: String { "\(self.topic.rawValue)/\(self.partition)/\(self.offset)" }

    /// Appends the text of ``description``.
    package func write(to text: inout [UInt8]) {
        text.append(contentsOf: self.topic.rawValue.utf8)
        text.append(UInt8(ascii: "/"))
        text.append(contentsOf: String(self.partition).utf8)
        text.append(UInt8(ascii: "/"))
        text.append(contentsOf: String(self.offset).utf8)
    }

    /// Reads `topic/partition/offset`.
    package init?(_ text: String) {
        var text = text
        guard let position = text.withUTF8({ RecordPosition(utf8: $0) }) else { return nil }
        self = position
    }

    /// Reads `topic/partition/offset` from UTF-8.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        let slash = UInt8(ascii: "/")
        guard let last = bytes.lastIndex(of: slash), let first = bytes[..<last].lastIndex(of: slash),
            let topic = Topic.allCases.first(where: {
                RecordParts.areEqual(UnsafeBufferPointer(rebasing: bytes[..<first]), $0.rawValue)
            }),
            let partition = Self.number(bytes[(first + 1)..<last]), let offset = Self.number(bytes[(last + 1)...])
        else { return nil }
        self.init(topic, Int(partition), offset)
    }

    /// Reads a number from UTF-8, as `Int64(_:)` does from text.
    package static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        var value: Int64 = 0
        // So many digits fit in any case.
        if 1...18 ~= digits.count {
            for byte in digits {
                let digit = byte &- UInt8(ascii: "0")
                guard digit < 10 else { return Int64(String(decoding: digits, as: UTF8.self)) }
                value = value * 10 + Int64(digit)
            }
            return value
        }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}
