import Foundation

/// Breaks lines between words, where the terminal ends.
struct WordWrap: Sendable {
    /// Columns that a line may take; nil for any number.
    let width: Int?

    /// The width of this process's terminal; without one lines are left as they are.
    static var output: Self {
        var size = winsize()
        guard StandardOutput.isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else {
            return Self(width: nil)
        }
        return Self(width: Int(size.ws_col))
    }

    /// The line in pieces; those after the first are indented by two more than it is.
    func lines(_ line: String) -> [String] {
        guard let width, line.count > width else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let further = indent.count + 2 < width / 2 ? indent + "  " : ""
        var lines: [String] = []
        var current = indent
        var isEmpty = true
        for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
            if !isEmpty, current.count + 1 + word.count > width {
                lines.append(current)
                current = further
                isEmpty = true
            }
            current += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [current]
    }
}
