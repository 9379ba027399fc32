/// Checks the size of a binary property list before Foundation writes its references out.
///
/// Such a file numbers its objects, and lists and dictionaries refer to them by number, any number of times. Only the
/// structure is read here; what is malformed counts as one value and is left to Foundation, which refuses it.
struct BinaryPropertyList {
    /// A list that is too large: what it holds, in words that follow "holds".
    struct Excess: Error {
        /// The limit that was exceeded.
        var message: String
    }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let table: Int
    private var weights: [DocumentWeight?]

    /// Reads the trailer; nil for anything but a binary property list.
    private init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("bplist".utf8)), bytes.count >= 40 else { return nil }
        func number(_ offset: Int) -> Int? { Self.number(bytes, bytes.count - offset, 8) }
        self.bytes = bytes
        self.offsetSize = Int(bytes[bytes.count - 26])
        self.referenceSize = Int(bytes[bytes.count - 25])
        guard let count = number(24), let table = number(8), (1...8).contains(self.offsetSize),
            (1...8).contains(self.referenceSize), count <= bytes.count, table <= bytes.count
        else { return nil }
        self.table = table
        self.weights = Array(repeating: nil, count: count)
    }

    static func check(_ bytes: [UInt8]) throws(Excess) {
        guard var list = Self(bytes), let top = Self.number(bytes, bytes.count - 16, 8) else { return }
        _ = try list.weight(top, depth: 0)
    }

    private mutating func weight(_ object: Int, depth: Int) throws(Excess) -> DocumentWeight {
        guard self.weights.indices.contains(object),
            let offset = Self.number(self.bytes, self.table + object * self.offsetSize, self.offsetSize),
            self.bytes.indices.contains(offset)
        else { return DocumentWeight() }
        // A list that holds itself ends here, too.
        try Self.check(DocumentWeight(depth: depth))
        if let known = self.weights[object] {
            try Self.check(DocumentWeight(depth: depth + known.depth))
            return known
        }
        var weight = DocumentWeight()
        let kind = self.bytes[offset] >> 4
        let (count, start) = self.count(offset)
        switch kind {
        case 0x5: weight.bytes = count
        case 0x6: weight.bytes = min(count, self.bytes.count) * 2
        case 0xA, 0xC, 0xD:
            let references = min(count, self.bytes.count) * (kind == 0xD ? 2 : 1)
            for index in 0..<references {
                guard
                    let part = Self.number(self.bytes, start + index * self.referenceSize, self.referenceSize)
                else { break }
                weight.add(try self.weight(part, depth: depth + 1))
                try Self.check(weight)
            }
        default: break
        }
        self.weights[object] = weight
        return weight
    }

    /// The number of an object's elements, and where they begin.
    private func count(_ offset: Int) -> (Int, Int) {
        let low = Int(self.bytes[offset] & 0x0F)
        guard low == 0x0F else { return (low, offset + 1) }
        guard self.bytes.indices.contains(offset + 1) else { return (0, offset + 1) }
        let size = 1 << Int(self.bytes[offset + 1] & 0x07)
        return (Self.number(self.bytes, offset + 2, min(size, 8)) ?? 0, offset + 2 + size)
    }

    private static func check(_ weight: DocumentWeight) throws(Excess) {
        if let message = weight.excess { throw Excess(message: message) }
    }

    /// A number in big-endian order; nil outside the file, or beyond what a file of this size can mean.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        return bytes[offset..<offset + size]
            .reduce(Optional(0)) { value, byte in
                value.flatMap { $0 < 1 << 48 ? $0 << 8 | Int(byte) : nil }
            }
    }
}
