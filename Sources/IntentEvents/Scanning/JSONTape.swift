/// A JSON text taken apart in one pass, without a tree: where each value begins and ends in the original bytes.
///
/// It takes and refuses what `JSONValue(parsing:)` does, and of two members with one name the last counts. Nothing is
/// copied or converted until it is asked for. The tape is kept and used again: its memory does not follow the number of
/// texts. It holds no bytes; whoever asks it passes those that were read last.
package struct JSONTape: Sendable {
    /// What a value is.
    package enum Kind: UInt8, Sendable {
        /// `null`.
        case null
        /// `true`.
        case yes
        /// `false`.
        case no
        /// A number.
        case number
        /// A string, or a member's name.
        case string
        /// An array; its elements follow it.
        case array
        /// An object; names and values follow it in turn.
        case object
    }

    /// A value, or a member's name; what is inside of it follows it on the tape.
    struct Node: Sendable {
        /// What it is.
        var kind: Kind
        /// Whether a string has an escape, or a number a fraction or an exponent.
        var isSpecial: Bool
        /// Where it begins; of strings, behind the quote.
        var start: Int32
        /// Where it ends; of strings, before the quote.
        var end: Int32
        /// The node behind it and all that is inside.
        var next: Int32
    }

    /// A tape that is longer is given back after use.
    private static let keptNodes = 65_536
    /// Room for as many containers inside each other is made at once.
    private static let usualDepth = 128
    /// The longest text whose places fit.
    private static let maximumBytes = Int(Int32.max)

    private(set) var nodes: ContiguousArray<Node> = []
    private var open: ContiguousArray<Int32> = []

    /// An empty tape.
    package init() {
        self.nodes.reserveCapacity(256)
        self.open.reserveCapacity(Self.usualDepth)
    }

    /// Takes a text apart; false for what `JSONValue(parsing:)` refuses with the same bound on its depth.
    package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) -> Bool {
        if self.nodes.capacity > Self.keptNodes {
            self.nodes = []
            self.nodes.reserveCapacity(256)
        }
        self.nodes.removeAll(keepingCapacity: true)
        self.open.removeAll(keepingCapacity: true)
        guard bytes.count <= Self.maximumBytes else { return false }
        var cursor = JSONCursor(bytes)
        guard self.readAll(&cursor, maximumDepth: maximumDepth) else {
            self.nodes.removeAll(keepingCapacity: true)
            return false
        }
        return true
    }

    private mutating func readAll(_ cursor: inout JSONCursor, maximumDepth: Int) -> Bool {
        while true {
            // A value stands here.
            cursor.skipWhitespace()
            guard let first = cursor.next else { return false }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard self.open.count < maximumDepth else { return false }
                let isObject = first == UInt8(ascii: "{")
                self.append(isObject ? .object : .array, from: cursor.position, to: cursor.position)
                cursor.position += 1
                cursor.skipWhitespace()
                if cursor.next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    cursor.position += 1
                    self.close(self.nodes.count - 1, at: cursor.position)
                } else {
                    self.open.append(Int32(truncatingIfNeeded: self.nodes.count - 1))
                    if isObject, !self.readName(&cursor) { return false }
                    continue
                }
            } else if !self.readScalar(first, &cursor) {
                return false
            }
            // A value has ended; with it maybe those around it.
            while let container = self.open.last {
                let index = Int(container)
                let isObject = self.nodes[index].kind == .object
                cursor.skipWhitespace()
                guard let byte = cursor.next else { return false }
                cursor.position += 1
                if byte == UInt8(ascii: ",") {
                    if isObject, !self.readName(&cursor) { return false }
                    break
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
                self.open.removeLast()
                self.close(index, at: cursor.position)
            }
            if self.open.isEmpty {
                cursor.skipWhitespace()
                return cursor.isAtEnd && cursor.isUTF8
            }
        }
    }

    /// Reads a member's name and the colon behind it.
    private mutating func readName(_ cursor: inout JSONCursor) -> Bool {
        cursor.skipWhitespace()
        guard cursor.next == UInt8(ascii: "\""), self.readScalar(UInt8(ascii: "\""), &cursor) else { return false }
        cursor.skipWhitespace()
        guard cursor.next == UInt8(ascii: ":") else { return false }
        cursor.position += 1
        return true
    }

    private mutating func readScalar(_ first: UInt8, _ cursor: inout JSONCursor) -> Bool {
        let start = cursor.position
        switch first {
        case UInt8(ascii: "\""):
            guard let isEscaped = cursor.passString() else { return false }
            self.append(.string, isEscaped, from: start + 1, to: cursor.position - 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let isWhole = cursor.passNumber() else { return false }
            self.append(.number, !isWhole, from: start, to: cursor.position)
        case UInt8(ascii: "t"):
            guard cursor.pass("true") else { return false }
            self.append(.yes, from: start, to: cursor.position)
        case UInt8(ascii: "f"):
            guard cursor.pass("false") else { return false }
            self.append(.no, from: start, to: cursor.position)
        case UInt8(ascii: "n"):
            guard cursor.pass("null") else { return false }
            self.append(.null, from: start, to: cursor.position)
        default: return false
        }
        return true
    }

    private mutating func append(_ kind: Kind, _ isSpecial: Bool = false, from start: Int, to end: Int) {
        self.nodes.append(
            Node(
                kind: kind,
                isSpecial: isSpecial,
                start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: end),
                next: Int32(truncatingIfNeeded: self.nodes.count + 1)
            )
        )
    }

    private mutating func close(_ index: Int, at end: Int) {
        self.nodes[index].end = Int32(truncatingIfNeeded: end)
        self.nodes[index].next = Int32(truncatingIfNeeded: self.nodes.count)
    }
}
