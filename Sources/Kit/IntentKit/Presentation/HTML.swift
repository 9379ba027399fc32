/// A piece of HTML: literal text is markup, interpolated values are escaped.
///
/// ```swift
/// let line: HTML = "<p class=\"message\">\(message.content)</p>"
/// ```
/// So text from users cannot become markup anywhere: neither in an element nor in a quoted attribute.
public struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The markup.
    public let text: String

    /// Makes a piece of markup that the program itself has written.
    public init(stringLiteral text: String) { self.text = text }

    /// Joins literal markup and escaped values.
    public init(stringInterpolation: StringInterpolation) { self.text = stringInterpolation.text }

    public init(_ pieces: [HTML]) { self.text = pieces.map(\.text).joined() }

    /// Gathers markup and values.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) { self.text.reserveCapacity(literalCapacity) }

        /// Adds markup as it is, unescaped.
        public mutating func appendLiteral(_ literal: String) { self.text += literal }

        /// Adds text, escaped.
        public mutating func appendInterpolation(_ value: String) {
            for scalar in value.unicodeScalars {
                switch scalar {
                case "&": self.text += "&amp;"
                case "<": self.text += "&lt;"
                case ">": self.text += "&gt;"
                case "\"": self.text += "&quot;"
                case "'": self.text += "&#39;"
                default: self.text.unicodeScalars.append(scalar)
                }
            }
        }

        public mutating func appendInterpolation(_ value: some BinaryInteger) { self.text += String(value) }

        /// Adds a piece of HTML as it is.
        public mutating func appendInterpolation(_ value: HTML) { self.text += value.text }

        /// Adds pieces of HTML as they are.
        public mutating func appendInterpolation(_ values: [HTML]) { self.text += values.map(\.text).joined() }
    }
}
