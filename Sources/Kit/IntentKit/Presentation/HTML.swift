/// HTML that is safe to send: literals of the program stay as they are, and every interpolated text is escaped.
///
/// ```swift
/// let line: HTML = "<p class=\"message\">\(message.content)</p>"
/// ```
/// The compiler keeps the two apart: `message.content` cannot become markup, neither in an element nor in a quoted
/// attribute, and there is no way to turn a text that is not a literal into HTML.
public struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text to send.
    public private(set) var text: String

    /// Creates HTML from a literal.
    public init(stringLiteral text: StaticString) { self.text = text.description }

    /// Creates HTML from an interpolation.
    public init(stringInterpolation interpolation: StringInterpolation) { self.text = interpolation.text }

    /// Creates empty HTML.
    public init() { self.text = "" }

    public init(_ pieces: [HTML]) { self.text = pieces.map(\.text).joined() }

    /// Creates HTML from a text, escaped.
    public init(escaping text: String) {
        self.text = ""
        Self.escape(text, to: &self.text)
    }

    /// Creates HTML from a number, for drawings.
    public init(number: Double) {
        let tenths = (number * 10).rounded()
        let isWhole = tenths.truncatingRemainder(dividingBy: 10) == 0
        self.text = abs(tenths) < 1e15 ? (isWhole ? "\(Int64(tenths / 10))" : "\(tenths / 10)") : "0"
    }

    public var isEmpty: Bool { self.text.isEmpty }

    public static func += (lhs: inout Self, rhs: Self) { lhs.text += rhs.text }

    /// Joins two pieces.
    public static func + (lhs: Self, rhs: Self) -> Self {
        var sum = lhs
        sum += rhs
        return sum
    }

    /// Builds an interpolation.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Reserves memory.
        public init(literalCapacity: Int, interpolationCount: Int) {
            self.text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends a literal as it is.
        public mutating func appendLiteral(_ literal: StaticString) { self.text += literal.description }

        public mutating func appendInterpolation(_ html: HTML) { self.text += html.text }

        /// Appends several pieces of HTML.
        public mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { self.text += part.text } }

        /// Appends HTML if there is any.
        public mutating func appendInterpolation(_ html: HTML?) { if let html { self.text += html.text } }

        /// Appends a text, escaped.
        public mutating func appendInterpolation(_ text: String) { HTML.escape(text, to: &self.text) }

        public mutating func appendInterpolation(_ number: some BinaryInteger) { self.text += String(number) }

        /// Appends a number for a drawing, with one digit after the point.
        public mutating func appendInterpolation(_ number: Double) { self.text += HTML(number: number).text }
    }

    /// Escapes a text for HTML, between tags as well as in a quoted attribute.
    ///
    /// Control characters are replaced: HTML has no way to write most of them. Characters that change the direction of
    /// text are shown as their numbers: with them a name could make the text after it look like something else.
    private static func escape(_ source: String, to text: inout String) {
        var source = source
        let isPlain = source.withUTF8 { bytes in
            bytes.allSatisfy {
                $0 >= 0x20 && $0 < 0x7F && $0 != 0x26 && $0 != 0x3C && $0 != 0x3E && $0 != 0x22 && $0 != 0x27
            }
        }
        guard !isPlain else {
            text += source
            return
        }
        for scalar in source.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            case "\u{061C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                let isControl = scalar.properties.generalCategory == .control
                text.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
            }
        }
    }
}

extension Sequence where Element == HTML {
    /// Joins the pieces with a separator.
    package func joined(by separator: HTML = "") -> HTML {
        var sum = HTML()
        for (index, part) in self.enumerated() {
            if index > 0 { sum += separator }
            sum += part
        }
        return sum
    }
}
