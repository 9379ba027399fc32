import Foundation

/// The output of commands besides their results.
enum StandardError {
    /// Receives what a task writes; nil for the process's own output.
    @TaskLocal static var receiver: (@Sendable (String) -> Void)?

    /// Whether it is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text as it is.
    static func write(_ text: String) {
        if let receiver = Self.receiver { return receiver(text) }
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Writes a message with the program's name, as ``SafeText`` shows it; on a terminal it is wrapped between words.
    static func report(_ message: String) {
        let lines = SafeText.lines(ProgramName.naming(message))
        let named = ["\(TextStyle.error.bad(ProgramName.current + ":")) \(lines[0])"] + lines.dropFirst()
        Self.write(named.flatMap(WordWrap.error.lines).joined(separator: "\n") + "\n")
    }
}
