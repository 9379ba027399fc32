import IntentKit

/// The part of a file's text that messages show.
///
/// A file that was named by mistake may hold secrets, and messages go to logs: they show the beginning of a key or a
/// word, and nothing of other values.
package enum ShownText {
    /// The most characters that are shown.
    package static let maximumCount = 40

    /// The beginning of a text, on one line.
    package static func of(_ text: String) -> String {
        let start = text.prefix(Self.maximumCount)
        let line = String(start.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 })
        return start.endIndex < text.endIndex ? line + "…" : line
    }

    /// A word in quotation marks; of any other value its kind.
    static func of(_ json: JSONValue) -> String { json.string.map { "\"\(Self.of($0))\"" } ?? json.kind }
}
