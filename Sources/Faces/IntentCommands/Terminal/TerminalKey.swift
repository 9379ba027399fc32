/// A key for editing a line.
enum TerminalKey: Hashable, Sendable {
    /// A character; combining ones join the previous one.
    case scalar(Unicode.Scalar)
    case enter
    case tab
    /// Removes the character before the cursor.
    case backspace
    /// Removes the character under the cursor.
    case delete
    /// Ctrl-D: removes the character under the cursor, and ends the input on an empty line.
    case deleteOrEnd
    /// Moves the cursor.
    case left, right, home, end, wordLeft, wordRight
    /// The previous line in the history, and the next one.
    case up, down
    /// Removes to the beginning, to the end, and the word before the cursor.
    case removeToBeginning, removeToEnd, removeWord
    /// Shows the line on an empty screen.
    case clear
}

/// Decodes keys from the bytes that a terminal sends: UTF-8, control characters, and the sequences of ECMA-48.
struct TerminalKeyParser: Sendable {
    private enum State {
        /// Between keys.
        case ground
        /// In a character of several bytes.
        case character([UInt8], length: Int)
        /// After an escape.
        case escape
        /// In `ESC [ …` or `ESC O …`.
        case sequence([UInt8])
    }

    /// The longest sequence that is decoded.
    private static let maximumLength = 32

    private var state = State.ground

    /// The key that a byte completes; nil for none, or for one without a meaning here.
    mutating func take(_ byte: UInt8) -> TerminalKey? {
        switch self.state {
        case .ground: return self.begin(byte)
        case .character(var bytes, let length):
            guard byte & 0xC0 == 0x80 else { return self.begin(byte) }
            bytes.append(byte)
            self.state = bytes.count < length ? .character(bytes, length: length) : .ground
            guard bytes.count == length, let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
            else { return nil }
            return Self.isShown(scalar) ? .scalar(scalar) : nil
        case .escape:
            self.state = .ground
            switch byte {
            case 0x5B, 0x4F: self.state = .sequence([byte])
            case 0x62: return .wordLeft
            case 0x66: return .wordRight
            case 0x7F, 0x08: return .removeWord
            case 0x1B: self.state = .escape
            default: break
            }
            return nil
        case .sequence(var bytes):
            bytes.append(byte)
            guard (0x40...0x7E).contains(byte) else {
                self.state = bytes.count < Self.maximumLength ? .sequence(bytes) : .ground
                return nil
            }
            self.state = .ground
            return Self.key(String(decoding: bytes.dropFirst(), as: UTF8.self))
        }
    }

    private mutating func begin(_ byte: UInt8) -> TerminalKey? {
        self.state = .ground
        switch byte {
        case 0x20..<0x7F: return .scalar(Unicode.Scalar(byte))
        case 0xC2..<0xE0: self.state = .character([byte], length: 2)
        case 0xE0..<0xF0: self.state = .character([byte], length: 3)
        case 0xF0..<0xF5: self.state = .character([byte], length: 4)
        case 0x1B: self.state = .escape
        case 0x0A, 0x0D: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        case 0x01: return .home
        case 0x02: return .left
        case 0x04: return .deleteOrEnd
        case 0x05: return .end
        case 0x06: return .right
        case 0x0B: return .removeToEnd
        case 0x0C: return .clear
        case 0x0E: return .down
        case 0x10: return .up
        case 0x15: return .removeToBeginning
        case 0x17: return .removeWord
        default: break
        }
        return nil
    }

    /// The key of a sequence after `ESC [` or `ESC O`.
    private static func key(_ sequence: String) -> TerminalKey? {
        switch sequence {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H", "1~", "7~": .home
        case "F", "4~", "8~": .end
        case "3~": .delete
        case "1;5C", "1;3C": .wordRight
        case "1;5D", "1;3D": .wordLeft
        default: nil
        }
    }

    /// Whether a terminal shows the character in place: no control character may become part of a line.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
        default: true
        }
    }
}
