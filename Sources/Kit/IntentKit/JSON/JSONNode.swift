/// A value on a tape, or a member's name; its contents follow it on the tape.
package struct JSONNode: Sendable {
    package enum Kind: UInt8, Sendable {
        case null
        /// `true`.
        case yes
        /// `false`.
        case no
        case number
        /// A string, or a member's name.
        case string
        /// An array; its elements follow it.
        case array
        /// An object; names and values follow it in turn.
        case object
    }

    var kind: Kind
    /// Whether a string has an escape, a number has a fraction or an exponent, or an object has names whose bytes are
    /// not in ascending order.
    var isSpecial: Bool
    /// Where it begins; for strings, after the quote.
    var start: Int32
    /// Where it ends; for strings, before the quote; for a container that is being read, the container around it.
    var end: Int32
    /// The node after it and all its contents; for an object that is being read, its last name.
    var next: Int32
}
