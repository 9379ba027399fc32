import Foundation
import IntentKit
import IntentOperations

/// The output of results.
enum StandardOutput {
    /// Receives what a task writes; nil for the process's own output.
    @TaskLocal static var receiver: (@Sendable (String) -> Void)?

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes text as it is.
    ///
    /// When the reader has closed the pipe, the process ends as other tools do; when the text cannot be written, as on a
    /// full disk, it says so and ends with an error.
    static func write(_ text: String) {
        if let receiver = Self.receiver { return receiver(text) }
        guard let problem = OutputDescriptor.write(text, to: STDOUT_FILENO) else { return }
        if problem == EPIPE { ProcessEnd.now(ExitStatus.success.rawValue) }
        StandardError.report("cannot write to standard output: \(String(cString: strerror(problem)))")
        ProcessEnd.now(ExitStatus.unavailable.rawValue)
    }

    static func print(_ line: String) {
        Self.write(line + "\n")
    }

    /// Writes a line for people, possibly with text from others: it cannot control the terminal, and is wrapped between
    /// words at the terminal's width.
    static func printWrapped(_ line: String, _ style: (String) -> String = { $0 }) {
        for part in WordWrap.output.lines(SafeText.line(line)) { Self.print(style(part)) }
    }

    /// Writes a JSON value on a line of its own.
    static func print(_ json: JSONValue) {
        Self.write(json.description + "\n")
    }
}
