import Foundation
import IntentOperations

/// The styles of text in a terminal; plain text where there is no terminal, or `NO_COLOR` is set.
struct TextStyle: Sendable {
    /// Whether colours are shown.
    let isShown: Bool

    /// The style of this process's standard output (https://no-color.org).
    static let output = Self(isShown: StandardOutput.isTerminal && Self.isWanted)

    /// The style of this process's standard error.
    static let error = Self(isShown: StandardError.isTerminal && Self.isWanted)

    private static var isWanted: Bool {
        let environment = ProcessInfo.processInfo.environment
        return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Questions and headings.
    func strong(_ text: String) -> String { self.wrapped(text, in: "1") }
    /// Less important text, such as ids.
    func faint(_ text: String) -> String { self.wrapped(text, in: "2") }
    /// Success.
    func good(_ text: String) -> String { self.wrapped(text, in: "32") }
    /// Failure.
    func bad(_ text: String) -> String { self.wrapped(text, in: "31") }
    /// Something that continues elsewhere, or later.
    func open(_ text: String) -> String { self.wrapped(text, in: "33") }

    /// The status of an interaction: ended well, badly, handed over, or still open.
    func status(_ status: String?) -> Table.Style {
        switch status {
        case "success": self.good
        case "failure": self.bad
        case nil: { $0 }
        default: self.open
        }
    }

    private func wrapped(_ text: String, in code: String) -> String {
        self.isShown && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
