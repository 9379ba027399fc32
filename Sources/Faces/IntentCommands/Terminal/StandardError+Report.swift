import Foundation
import IntentOperations

extension StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a message with the program's name, as ``SafeText`` shows it; on a terminal it is wrapped between words.
    static func report(_ message: String) {
        let lines = SafeText.lines(ProgramName.naming(message))
        let named = ["\(TextStyle.error.bad(ProgramName.current + ":")) \(lines[0])"] + lines.dropFirst()
        Self.write(named.flatMap(WordWrap.error.lines).joined(separator: "\n") + "\n")
    }
}
