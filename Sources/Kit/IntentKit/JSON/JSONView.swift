#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A value of a parsed text, in place; nothing is copied or converted until it is asked for.
///
/// It points into the text and the tape: it is valid for the call that it is passed to, and must not leave it. Of two
/// members with one name the last counts.
package struct JSONView {
    /// The text.
    let bytes: UnsafePointer<UInt8>
    /// The tape.
    let nodes: UnsafePointer<JSONNode>
    package let node: Int

    package var kind: JSONNode.Kind { self.nodes[self.node].kind }

    package var isNull: Bool { self.kind == .null }

    package var bool: Bool? {
        switch self.kind {
        case .yes: true
        case .no: false
        case .null, .number, .string, .array, .object: nil
        }
    }

    /// The bytes in place: of a string, those between the quotes.
    private var text: UnsafeBufferPointer<UInt8> {
        let entry = self.nodes[self.node]
        return UnsafeBufferPointer(start: self.bytes + Int(entry.start), count: Int(entry.end - entry.start))
    }

    private func at(_ node: Int) -> JSONView { JSONView(bytes: self.bytes, nodes: self.nodes, node: node) }

    // MARK: What is inside

    /// The index after the value and all its contents.
    private var end: Int { Int(self.nodes[self.node].next) }

    /// The member of that name, in ASCII; nil when it is no object, or has none.
    package subscript(_ name: StaticString) -> JSONView? {
        guard self.kind == .object else { return nil }
        let end = self.end
        var found: Int?
        var key = self.node + 1
        while key < end {
            if self.at(key).isName(name) { found = key + 1 }
            key = Int(self.nodes[key + 1].next)
        }
        return found.map(self.at)
    }

    /// Whether a member's name is that one.
    private func isName(_ name: StaticString) -> Bool {
        let entry = self.nodes[self.node]
        if entry.isSpecial { return Self.unescaped(self.text).utf8.elementsEqual(name.asBuffer) }
        let count = name.utf8CodeUnitCount
        return Int(entry.end - entry.start) == count
            && memcmp(self.bytes + Int(entry.start), name.utf8Start, count) == 0
    }

    /// Calls the closure with the members in the order of the text, if it is an object.
    package func forEachMember(_ body: (_ name: String, _ value: JSONView) -> Void) {
        guard self.kind == .object else { return }
        let end = self.end
        var key = self.node + 1
        while key < end {
            body(self.at(key).decoded, self.at(key + 1))
            key = Int(self.nodes[key + 1].next)
        }
    }

    /// Calls the closure with the members in the order of the text, if it is an object, until it returns false; with
    /// the index of each member's name among these, nil for another name.
    package func forEachMember(
        among known: [StaticString],
        _ body: (_ index: Int?, _ name: () -> String, _ value: JSONView) -> Bool
    ) {
        guard self.kind == .object else { return }
        let end = self.end
        var key = self.node + 1
        while key < end {
            let name = self.at(key)
            let index = known.firstIndex { name.isName($0) }
            guard body(index, { name.decoded }, self.at(key + 1)) else { return }
            key = Int(self.nodes[key + 1].next)
        }
    }

    /// The elements, if it is an array; else none.
    package var elements: JSONElements {
        let isArray = self.kind == .array
        return JSONElements(container: self, node: self.node + 1, end: isArray ? self.end : self.node + 1)
    }

    /// Whether it is an object with a member that is `null`.
    package var hasNullMember: Bool {
        guard self.kind == .object else { return false }
        let end = self.end
        var key = self.node + 1
        while key < end {
            if self.at(key + 1).isNull { return true }
            key = self.at(key + 1).end
        }
        return false
    }

    /// Compares a member's name, which has no escapes, with a literal: below 0 if it comes before, 0 if it is equal,
    /// above 0 if it comes after.
    fileprivate func order(_ name: StaticString) -> Int {
        let text = self.text
        let common = min(text.count, name.utf8CodeUnitCount)
        if common > 0, let bytes = text.baseAddress {
            let order = memcmp(bytes, name.utf8Start, common)
            if order != 0 { return Int(order) }
        }
        return text.count - name.utf8CodeUnitCount
    }

    // MARK: Strings

    package var string: String? {
        guard self.kind == .string else { return nil }
        return self.decoded
    }

    /// The string, if it is one.
    ///
    /// If the bytes are those of `known`, it is `known` itself.
    package func string(known: String?) -> String? {
        guard let known, self.kind == .string, !self.nodes[self.node].isSpecial else { return self.string }
        let text = self.text
        guard text.count == known.utf8.count, let start = text.baseAddress else { return self.string }
        let isSame = known.utf8.withContiguousStorageIfAvailable { known in
            known.baseAddress.map { memcmp($0, start, text.count) == 0 } ?? true
        }
        return isSame ?? false ? known : self.string
    }

    private var decoded: String {
        self.nodes[self.node].isSpecial ? Self.unescaped(self.text) : String(decoding: self.text, as: UTF8.self)
    }

    /// The bytes of a string in place, and whether there are escapes among them; nil for anything else.
    package var content: (bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool)? {
        self.kind == .string ? (self.text, self.nodes[self.node].isSpecial) : nil
    }

    /// The text of a string's ``content`` with its escapes, which were checked when it was read.
    package static func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> String {
        // An escape takes more bytes than the character that it stands for.
        String(unsafeUninitializedCapacity: content.count) { text in
            var index = 0
            var count = 0
            func append(_ byte: UInt8) {
                text[count] = byte
                count += 1
            }
            func hexDigits() -> UInt32 {
                var value: UInt32 = 0
                for _ in 0..<4 {
                    value = value << 4 | (JSONScanner.hexDigit(content[index]) ?? 0)
                    index += 1
                }
                return value
            }
            while index < content.count {
                let byte = content[index]
                index += 1
                guard byte == UInt8(ascii: "\\") else {
                    append(byte)
                    continue
                }
                let escape = content[index]
                index += 1
                switch escape {
                case UInt8(ascii: "b"): append(0x08)
                case UInt8(ascii: "f"): append(0x0C)
                case UInt8(ascii: "n"): append(0x0A)
                case UInt8(ascii: "r"): append(0x0D)
                case UInt8(ascii: "t"): append(0x09)
                case UInt8(ascii: "u"):
                    var scalar = hexDigits()
                    if (0xD800..<0xDC00).contains(scalar) {
                        index += 2
                        scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hexDigits() - 0xDC00)
                    }
                    for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? .init() { append(byte) }
                default: append(escape)
                }
            }
            return count
        }
    }

    // MARK: Numbers

    /// The number, if it is one without fraction or exponent that fits 64 bits.
    package var integer: Int64? {
        let entry = self.nodes[self.node]
        guard entry.kind == .number, !entry.isSpecial else { return nil }
        let isNegative = self.bytes[Int(entry.start)] == UInt8(ascii: "-")
        var index = Int(entry.start) + (isNegative ? 1 : 0)
        let end = Int(entry.end)
        var value: Int64 = 0
        if end - index <= 18 {
            while index < end {
                value = value &* 10 &+ Int64(self.bytes[index] &- UInt8(ascii: "0"))
                index += 1
            }
            return isNegative ? -value : value
        }
        return Int64(String(decoding: self.text, as: UTF8.self))
    }

    private var number: JSONValue {
        if let integer = self.integer { return .integer(integer) }
        // The scanner has checked that it is finite.
        return .number(Double(String(decoding: self.text, as: UTF8.self)) ?? 0)
    }

    // MARK: Trees

    /// The value with all its contents, as a tree.
    package var value: JSONValue {
        switch self.kind {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .number: return self.number
        case .string: return .string(self.decoded)
        case .array: return .array(self.array)
        case .object: return .object(self.object)
        }
    }

    private var array: [JSONValue] {
        var elements: [JSONValue] = []
        elements.reserveCapacity(self.elements.reduce(0) { count, _ in count + 1 })
        for element in self.elements { elements.append(element.value) }
        return elements
    }

    private var object: JSONObject {
        let end = self.end
        var count = 0
        var key = self.node + 1
        while key < end {
            count += 1
            key = Int(self.nodes[key + 1].next)
        }
        var members: [JSONObject.Element] = []
        members.reserveCapacity(count)
        key = self.node + 1
        while key < end {
            members.append((self.at(key).decoded, self.at(key + 1).value))
            key = Int(self.nodes[key + 1].next)
        }
        return self.nodes[self.node].isSpecial ? JSONObject(members) : JSONObject(inOrder: members)
    }

    // MARK: Canonical text

    /// The canonical text of a value (R11) in place, without the quotes of a string; nil when its bytes may not be
    /// canonical.
    package var canonicalContent: UnsafeBufferPointer<UInt8>? { self.isCanonical ? self.text : nil }

    /// Whether a value's bytes are certainly its canonical text; it may be false for some that are.
    private var isCanonical: Bool {
        let entry = self.nodes[self.node]
        let end = Int(entry.next)
        var start = Int(entry.start) + 1
        switch entry.kind {
        case .null, .yes, .no: return true
        case .string: return !entry.isSpecial
        case .number:
            let digits = self.text
            return !entry.isSpecial && digits.count <= 18 && !(digits.count == 2 && digits.elementsEqual("-0".utf8))
        case .array:
            for element in self.elements {
                guard element.outerStart == start, element.isCanonical else { return false }
                // The comma, or the bracket.
                start = element.outerEnd + 1
            }
        case .object:
            guard !entry.isSpecial else { return false }
            var key = self.node + 1
            while key < end {
                let (name, value) = (self.at(key), self.at(key + 1))
                guard name.outerStart == start, value.outerStart == name.outerEnd + 1, value.isCanonical else {
                    return false
                }
                start = value.outerEnd + 1
                key = value.end
            }
        }
        return max(start, Int(entry.start) + 2) == Int(entry.end)
    }

    /// The position of the first byte, including a quote.
    private var outerStart: Int { Int(self.nodes[self.node].start) - (self.kind == .string ? 1 : 0) }

    /// The position after the last byte, including a quote.
    private var outerEnd: Int { Int(self.nodes[self.node].end) + (self.kind == .string ? 1 : 0) }
}

extension JSONView: JSONWritable {
    /// Writes the value; copies its own bytes if they are the canonical text already.
    package func write(to text: inout JSONText) {
        guard self.isCanonical else {
            text.value(self.value)
            return
        }
        text.canonical(
            UnsafeBufferPointer(start: self.bytes + self.outerStart, count: self.outerEnd - self.outerStart)
        )
    }
}

/// The elements of an array, in order, in place.
package struct JSONElements: Sequence, IteratorProtocol {
    /// The array.
    fileprivate let container: JSONView
    /// The next element.
    fileprivate var node: Int
    /// The index after the last one.
    fileprivate let end: Int

    package mutating func next() -> JSONView? {
        guard self.node < self.end else { return nil }
        let element = JSONView(bytes: self.container.bytes, nodes: self.container.nodes, node: self.node)
        self.node = Int(self.container.nodes[self.node].next)
        return element
    }
}

/// Reads an object's members in one pass: the caller asks for them in the order of their names' bytes, each once.
///
/// Members that are not asked for are skipped; asking for a missing member is allowed.
package struct JSONMemberReader {
    private let object: JSONView
    /// Whether the text has the members in that order, too.
    private let isInOrder: Bool
    private var node: Int
    private let end: Int

    /// Starts before the first member; a value that is no object has none.
    package init(_ object: JSONView) {
        let entry = object.nodes[object.node]
        self.object = object
        self.isInOrder = entry.kind == .object && !entry.isSpecial
        self.node = object.node + 1
        self.end = Int(entry.next)
    }

    /// The value of the member of that name; nil when there is none.
    package mutating func value(_ name: StaticString) -> JSONView? {
        guard self.isInOrder else { return self.object[name] }
        while self.node < self.end {
            let key = JSONView(bytes: self.object.bytes, nodes: self.object.nodes, node: self.node)
            let order = key.order(name)
            guard order <= 0 else { return nil }
            let value = JSONView(bytes: key.bytes, nodes: key.nodes, node: self.node + 1)
            self.node = Int(key.nodes[self.node + 1].next)
            if order == 0 { return value }
        }
        return nil
    }
}

extension StaticString {
    /// Its UTF-8, which is valid as long as the program runs.
    fileprivate var asBuffer: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: self.utf8Start, count: self.utf8CodeUnitCount)
    }
}
