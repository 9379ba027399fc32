/// A value on a tape, or a member's name; what is inside of it follows it there.
package struct JSONNode: Sendable {
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

    /// What it is.
    var kind: Kind
    /// Whether a string has an escape, a number a fraction or an exponent, or an object names whose bytes, as they stand,
    /// are not each behind those of the one before.
    var isSpecial: Bool
    /// Where it begins; of strings, behind the quote.
    var start: Int32
    /// Where it ends; of strings, before the quote; of a container that is being read, the one around it.
    var end: Int32
    /// The node behind it and all that is inside; of an object that is being read, its last name.
    var next: Int32
}
