import Foundation

/// A regular expression that a whole text has to match.
struct TextPattern: Sendable {
    /// The expression as it was written.
    let source: String
    private let expression: NSRegularExpression

    /// Compiles an expression; nil when it is none.
    init?(_ source: String) {
        // First as it is: an expression with an open bracket must not be closed by the frame around it.
        guard (try? NSRegularExpression(pattern: source)) != nil,
            let expression = try? NSRegularExpression(pattern: "\\A(?:\(source))\\z")
        else { return nil }
        self.source = source
        self.expression = expression
    }

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool {
        let range = NSRange(text.startIndex..<text.endIndex, in: text)
        return self.expression.firstMatch(in: text, range: range) != nil
    }
}
