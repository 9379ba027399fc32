import Foundation

/// A name that clients choose: of a topic, a group, a member, a transactional id, an assignment protocol.
///
/// Two names are the same when their bytes are the same. `String` compares by canonical equivalence: it treats the
/// Kelvin sign `K` as the letter K, and an `é` of two code points as the `é` of one, while clients, SQLite and other
/// brokers distinguish them.
struct Name: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

extension Name {
    /// The longest name of a group, a member or a transactional id, in bytes; topics have Kafka's own limit.
    static let maxBytes = 1_024

    var isEmpty: Bool { self.text.isEmpty }

    /// Whether the broker accepts the name: not empty, not too long, and without the null character, at which SQLite
    /// would truncate it.
    var isSound: Bool {
        !self.isEmpty && self.text.utf8.count <= Self.maxBytes && !self.text.utf8.contains(0)
    }
}

extension Name: Hashable {
    /// Whether the bytes are the same.
    static func == (left: Name, right: Name) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count, let bytes = left.baseAddress, let others = right.baseAddress else {
                    return left.count == right.count
                }
                return memcmp(bytes, others, left.count) == 0
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        let isContiguous: Void? = self.text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil { for byte in self.text.utf8 { hasher.combine(byte) } }
        hasher.combine(UInt8(0xff))
    }
}

extension Name: Comparable {
    /// The order of the bytes.
    static func < (left: Name, right: Name) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension Name: ExpressibleByStringInterpolation, CustomStringConvertible {
    init(stringLiteral text: String) {
        self.init(text)
    }

    var description: String { self.text }
}
