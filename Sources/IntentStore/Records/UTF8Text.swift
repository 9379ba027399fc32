/// Looks at bytes that may be text, without making a `String` of them.
enum UTF8Text {
    /// Whether bytes are UTF-8.
    static func isValid(_ bytes: [UInt8]) -> Bool {
        Self.isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil
    }

    /// Whether UTF-8 stands for itself in a JSON string: it has no quote, no backslash and no control character.
    static func needsNoEscape(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var isPlain = true
            for byte in bytes {
                isPlain = isPlain && byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            }
            return isPlain
        }
    }

    private static func isASCII(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var all: UInt8 = 0
            for byte in bytes { all |= byte }
            return all < 0x80
        }
    }
}
