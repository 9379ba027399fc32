internal import IntentKit

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension JSONTape {
    /// The node of the whole text.
    package static let root = 0

    /// What a node is.
    package func kind(_ node: Int) -> Kind { self.nodes[node].kind }

    /// The member of that name, in ASCII; nil when the node is no object, or has none.
    package func member(_ name: StaticString, of node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let node, self.nodes[node].kind == .object else { return nil }
        let end = Int(self.nodes[node].next)
        var found: Int?
        var key = node + 1
        while key < end {
            // The last one of a name counts.
            if self.isName(key, name, bytes) { found = key + 1 }
            key = Int(self.nodes[key + 1].next)
        }
        return found
    }

    private func isName(_ key: Int, _ name: StaticString, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let node = self.nodes[key]
        let count = name.utf8CodeUnitCount
        if node.isSpecial {
            return Self.unescape(bytes[Int(node.start)..<Int(node.end)]).elementsEqual(name.asBuffer)
        }
        guard Int(node.end - node.start) == count, let base = bytes.baseAddress else { return false }
        return memcmp(base + Int(node.start), name.utf8Start, count) == 0
    }

    /// The bytes of a string where they stand, and whether there are escapes among them; nil for anything else.
    package func content(
        _ node: Int?,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> (bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool)? {
        guard let node, self.nodes[node].kind == .string else { return nil }
        let entry = self.nodes[node]
        return (UnsafeBufferPointer(rebasing: bytes[Int(entry.start)..<Int(entry.end)]), entry.isSpecial)
    }

    /// The UTF-8 of a string; nil for anything else.
    package func string(_ node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let node, self.nodes[node].kind == .string else { return nil }
        let entry = self.nodes[node]
        let content = bytes[Int(entry.start)..<Int(entry.end)]
        return entry.isSpecial ? Self.unescape(content) : Array(content)
    }

    /// The number, if it is one without fraction or exponent that fits 64 bits.
    package func integer(_ node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let node, self.nodes[node].kind == .number, !self.nodes[node].isSpecial else { return nil }
        let entry = self.nodes[node]
        return Int64(String(decoding: bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self))
    }

    /// Whether the node is `true`; false for anything else.
    package func isTrue(_ node: Int?) -> Bool { node.map { self.nodes[$0].kind == .yes } ?? false }

    /// The canonical text of a value (R11) where it stands; nil when its bytes may not be that, or it is a string.
    package func canonicalContent(
        _ node: Int,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        let entry = self.nodes[node]
        guard entry.kind != .string, self.isCanonical(node, in: bytes) else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[Int(entry.start)..<Int(entry.end)])
    }

    /// The canonical text of a value (R11): its own bytes where they are that already.
    package func canonicalText(_ node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let entry = self.nodes[node]
        let isQuoted = entry.kind == .string
        let text = bytes[(Int(entry.start) - (isQuoted ? 1 : 0))..<(Int(entry.end) + (isQuoted ? 1 : 0))]
        if self.isCanonical(node, in: bytes) { return Array(text) }
        guard let json = try? JSONValue(parsing: text) else { preconditionFailure("what was read once is JSON") }
        return json.utf8
    }

    /// Whether a value's bytes are surely its canonical text; some that are may be taken for others.
    private func isCanonical(_ node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = self.nodes[node]
        let end = Int(entry.next)
        switch entry.kind {
        case .null, .yes, .no: return true
        case .string: return !entry.isSpecial
        case .number:
            let digits = bytes[Int(entry.start)..<Int(entry.end)]
            return !entry.isSpecial && digits.count <= 18 && !digits.elementsEqual("-0".utf8)
        case .array:
            var place = Int(entry.start) + 1
            var element = node + 1
            while element < end {
                guard self.begin(of: element) == place, self.isCanonical(element, in: bytes) else { return false }
                // The comma, or the bracket.
                place = self.end(of: element) + 1
                element = Int(self.nodes[element].next)
            }
            return max(place, Int(entry.start) + 2) == Int(entry.end)
        case .object:
            var place = Int(entry.start) + 1
            var key = node + 1
            var last: Slice<UnsafeBufferPointer<UInt8>>?
            while key < end {
                let name = bytes[Int(self.nodes[key].start)..<Int(self.nodes[key].end)]
                guard self.begin(of: key) == place, !self.nodes[key].isSpecial, name.allSatisfy({ $0 < 0x80 }),
                    last.map({ $0.lexicographicallyPrecedes(name) }) ?? true,
                    self.begin(of: key + 1) == self.end(of: key) + 1, self.isCanonical(key + 1, in: bytes)
                else { return false }
                last = name
                place = self.end(of: key + 1) + 1
                key = Int(self.nodes[key + 1].next)
            }
            return max(place, Int(entry.start) + 2) == Int(entry.end)
        }
    }

    /// Where a value's first byte stands, its quote included.
    private func begin(of node: Int) -> Int {
        Int(self.nodes[node].start) - (self.nodes[node].kind == .string ? 1 : 0)
    }

    /// Where the byte behind a value stands, its quote included.
    private func end(of node: Int) -> Int {
        Int(self.nodes[node].end) + (self.nodes[node].kind == .string ? 1 : 0)
    }

    /// The UTF-8 that a string's content stands for; the content was read once, so its escapes are sound.
    private static func unescape(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var index = content.startIndex
        func hexDigits() -> UInt32 {
            var value: UInt32 = 0
            for _ in 0..<4 {
                value = value << 4 | (JSONCursor.hexDigit(content[index]) ?? 0)
                index += 1
            }
            return value
        }
        while index < content.endIndex {
            let byte = content[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            let escape = content[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = hexDigits()
                if (0xD800..<0xDC00).contains(scalar) {
                    index += 2
                    scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hexDigits() - 0xDC00)
                }
                text.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
            default: text.append(escape)
            }
        }
        return text
    }
}

extension StaticString {
    /// Its UTF-8, which lives as long as the program.
    fileprivate var asBuffer: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: self.utf8Start, count: self.utf8CodeUnitCount)
    }
}
