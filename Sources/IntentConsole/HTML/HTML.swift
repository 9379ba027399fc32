/// HTML that is safe to send: its own literals as they are, every text that is put into it escaped.
///
/// The compiler keeps the two apart. `"<b>\(name)</b>"` is HTML in which `name` cannot be more than text; there is no way to
/// make HTML of a text that was not written in this program.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// What is sent.
    package private(set) var text: String

    /// Takes a literal as it is.
    package init(stringLiteral text: StaticString) { self.text = text.description }

    /// Takes what an interpolation has put together.
    package init(stringInterpolation interpolation: StringInterpolation) { self.text = interpolation.text }

    /// Begins with nothing.
    package init() { self.text = "" }

    /// A text, escaped.
    package init(escaping text: String) {
        self.text = ""
        Self.escape(text, to: &self.text)
    }

    /// Numbers that a drawing is made of.
    package init(number: Double) {
        let tenths = (number * 10).rounded()
        let isWhole = tenths.truncatingRemainder(dividingBy: 10) == 0
        self.text = abs(tenths) < 1e15 ? (isWhole ? "\(Int64(tenths / 10))" : "\(tenths / 10)") : "0"
    }

    /// Whether there is nothing.
    package var isEmpty: Bool { self.text.isEmpty }

    /// Adds what follows.
    package static func += (lhs: inout Self, rhs: Self) { lhs.text += rhs.text }

    /// One after the other.
    package static func + (lhs: Self, rhs: Self) -> Self {
        var sum = lhs
        sum += rhs
        return sum
    }

    /// Puts literals and values together.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Makes room.
        package init(literalCapacity: Int, interpolationCount: Int) {
            self.text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Adds a literal as it is.
        package mutating func appendLiteral(_ literal: StaticString) { self.text += literal.description }

        /// Adds HTML.
        package mutating func appendInterpolation(_ html: HTML) { self.text += html.text }

        /// Adds HTML, one after the other.
        package mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { self.text += part.text } }

        /// Adds HTML where there is some.
        package mutating func appendInterpolation(_ html: HTML?) { if let html { self.text += html.text } }

        /// Adds a text, escaped.
        package mutating func appendInterpolation(_ text: String) { HTML.escape(text, to: &self.text) }

        /// Adds a number.
        package mutating func appendInterpolation(_ number: some BinaryInteger) { self.text += String(number) }

        /// Adds a number for a drawing, with a digit behind the point.
        package mutating func appendInterpolation(_ number: Double) { self.text += HTML(number: number).text }
    }

    /// What a text becomes in HTML, between tags as well as in a quoted attribute.
    ///
    /// Control characters are replaced: HTML has no way to write most of them. Characters that turn the direction of text
    /// show as their numbers: with them a name could make what follows it read as something else.
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
    /// One after the other, with something between them.
    package func joined(by separator: HTML = "") -> HTML {
        var sum = HTML()
        for (index, part) in self.enumerated() {
            if index > 0 { sum += separator }
            sum += part
        }
        return sum
    }
}
