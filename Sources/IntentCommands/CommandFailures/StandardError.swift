import Foundation

/// What commands say besides their results.
enum StandardError {
    /// Whether a person looks at it.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text as it is.
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Writes a line that names the program.
    static func report(_ message: String) {
        Self.write("intentd: \(message)\n")
    }
}
