/// A line of a file, with its number.
struct InputLine: Hashable, Sendable {
    /// The number, from 1.
    var number: Int
    /// The bytes, without the newline.
    var bytes: [UInt8]
}
