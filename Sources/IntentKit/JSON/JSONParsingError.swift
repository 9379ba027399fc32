/// Why a text is not JSON that intentd takes.
public struct JSONParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words.
    public var message: String
    /// Where: bytes from the start of the text.
    public var offset: Int

    /// The message and the place.
    public var description: String { "\(self.message) at byte \(self.offset)" }
}
