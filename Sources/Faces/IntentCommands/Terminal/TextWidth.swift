/// The number of columns of a text in a terminal.
enum TextWidth {
    /// The columns of a line: the codes of ``TextStyle`` take none, wide characters take two.
    static func columns(of line: String) -> Int {
        var columns = 0
        var isEscape = false
        for character in line {
            if isEscape {
                // `ESC [ 3 1 m` ends with its letter.
                if character.isLetter { isEscape = false }
            } else if character == "\u{1B}" {
                isEscape = true
            } else {
                columns += Self.columns(of: character)
            }
        }
        return columns
    }

    static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first, scalar.value >= 0x300 else { return 1 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return switch scalar.value {
        case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
