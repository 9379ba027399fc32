/// Why intentd does not accept a text as JSON.
public struct JSONParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String
    /// The position: bytes from the start of the text.
    public var offset: Int

    /// The message and the position.
    public var description: String { "\(self.message) at byte \(self.offset)" }
}
