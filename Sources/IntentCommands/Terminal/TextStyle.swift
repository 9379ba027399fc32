import Foundation

/// How a terminal shows text that stands out; plain text where there is no terminal, or `NO_COLOR` is set.
struct TextStyle: Sendable {
    /// Whether colours are shown.
    let isShown: Bool

    /// The style of this process's standard output (https://no-color.org).
    static let output = Self(
        isShown: StandardOutput.isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    )

    /// What was asked, and headings.
    func strong(_ text: String) -> String { self.wrapped(text, in: "1") }
    /// What is of less weight, such as ids.
    func faint(_ text: String) -> String { self.wrapped(text, in: "2") }
    /// What has gone well.
    func good(_ text: String) -> String { self.wrapped(text, in: "32") }
    /// What has gone wrong.
    func bad(_ text: String) -> String { self.wrapped(text, in: "31") }
    /// What goes on elsewhere, or later.
    func open(_ text: String) -> String { self.wrapped(text, in: "33") }

    private func wrapped(_ text: String, in code: String) -> String {
        self.isShown && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
