import Foundation

extension String {
    /// The text without case, accents and spacing: equal keys mean the same words (SPEC R25).
    public var matchingKey: String {
        if self.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: self.utf8.lazy.filter { $0 > 0x20 }.map(Self.lowercased), as: UTF8.self)
        }
        let folded = self.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return String(folded.unicodeScalars.filter { !$0.properties.isWhitespace })
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
