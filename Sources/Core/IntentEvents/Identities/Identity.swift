public import IntentKit

/// A name: two names of a kind are the same only when their UTF-8 bytes are.
///
/// `String` considers texts equal that look alike (`é` as one scalar or as two, the Kelvin sign and `K`). Partitions,
/// the keys of records and SQLite compare bytes, and so does all of our code that finds a user, an interaction or a
/// state entry. The type is not `RawRepresentable`, whose `!=` would compare the texts.
public struct Identity<Kind>: Hashable, Comparable, Sendable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    /// The text as it came, unchanged.
    public let text: String

    @inlinable public init(_ text: String) { self.text = text }

    @inlinable public init(stringLiteral text: String) { self.text = text }

    /// The bytes that are compared.
    @inlinable public var utf8: String.UTF8View { self.text.utf8 }

    @inlinable public var isEmpty: Bool { self.text.isEmpty }

    @inlinable public var description: String { self.text }

    @inlinable public var json: JSONValue { .string(self.text) }

    /// Whether its bytes begin with these.
    @inlinable public func hasPrefix(_ prefix: String) -> Bool { TextBytes.begins(self.text, with: prefix) }

    /// Whether its bytes begin with that name's.
    @inlinable public func hasPrefix<Other>(_ prefix: Identity<Other>) -> Bool { self.hasPrefix(prefix.text) }

    /// Whether the bytes are the same.
    @inlinable public static func == (lhs: Self, rhs: Self) -> Bool { TextBytes.areEqual(lhs.text, rhs.text) }

    /// In the order of the bytes.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { TextBytes.areInOrder(lhs.text, rhs.text) }

    @inlinable public func hash(into hasher: inout Hasher) { TextBytes.hash(self.text, into: &hasher) }
}
