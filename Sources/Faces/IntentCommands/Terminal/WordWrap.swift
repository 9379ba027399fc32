import Foundation
import IntentOperations

/// Wraps lines between words at the terminal's width.
struct WordWrap: Sendable {
    /// The maximum number of columns of a line; nil for any number.
    let width: Int?

    /// A wrap at the width of this process's terminal; without a terminal lines stay as they are.
    static var output: Self { Self(width: StandardOutput.isTerminal ? Self.columns(of: STDOUT_FILENO) : nil) }

    /// A wrap at the width of standard error's terminal.
    static var error: Self { Self(width: StandardError.isTerminal ? Self.columns(of: STDERR_FILENO) : nil) }

    /// The columns of a terminal; nil for none, or one that is too narrow for any layout.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
        return Int(size.ws_col)
    }

    /// The line in pieces; those after the first are indented by two more.
    func lines(_ line: String) -> [String] {
        guard let width, TextWidth.columns(of: line) > width else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let further = indent.count + 2 < width / 2 ? indent + "  " : ""
        var lines: [String] = []
        var current = indent
        var columns = indent.count
        var isEmpty = true
        for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
            let own = TextWidth.columns(of: String(word))
            if !isEmpty, columns + 1 + own > width {
                lines.append(current)
                current = further
                columns = further.count
                isEmpty = true
            }
            current += (isEmpty ? "" : " ") + word
            columns += (isEmpty ? 0 : 1) + own
            isEmpty = false
        }
        return lines + [current]
    }
}
