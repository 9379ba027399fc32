/// Makes bytes and texts from anybody safe to show: no control character reaches the terminal, and bytes that are not
/// text are shown as escapes.
package enum SafeText {
    /// Bytes on one line: UTF-8 as it is, everything else as `\xE9`.
    package static func line(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var index = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                Self.append(Unicode.UTF8.decode(encoded), to: &text)
                index += encoded.count
            case .error(let length):
                for byte in bytes[index..<index + length] { text.append(contentsOf: Self.hex(byte).unicodeScalars) }
                index += length
            case .emptyInput:
                return String(text)
            }
        }
    }

    /// A text on one line.
    package static func line(_ text: String) -> String { Self.line(Array(text.utf8)) }

    /// A text of several lines, by line.
    package static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { Self.line(String($0)) }
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
        switch scalar.properties.generalCategory {
        case _ where scalar == "\n": text.append(contentsOf: "\\n".unicodeScalars)
        case _ where scalar == "\t": text.append(contentsOf: "\\t".unicodeScalars)
        case .control where scalar.value < 0x80: text.append(contentsOf: Self.hex(UInt8(scalar.value)).unicodeScalars)
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
            text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        default: text.append(scalar)
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
