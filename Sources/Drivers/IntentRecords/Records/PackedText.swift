/// How repeated texts are stored: in columns `packed_…`, from which views build the documented columns.
///
/// A packed column holds a small number for a text of a list, bytes for hexadecimal digits, and every other text
/// unchanged. The lists belong to the tables' version (``RecordSchema/version``): a text that is not in them costs a
/// few bytes and works.
enum PackedText {
    static let types = Words([
        "intent.requested", "prompt.answered", "interaction.cancelled", "device.unlocked", "user.authenticated",
        "app.responded", "vocabulary.replaced", "vocabulary.removed", "intent.resolved", "intent.confirmed",
        "interaction.returned", "interaction.resumed", "timer.fired", "prompt.issued", "intent.responded",
        "status.updated", "event.rejected", "user-activity.created", "turn.journaled",
    ])
    static let sources = Words(["/intentd/resolve", "/intentd/confirm", "/intentd/handle"])
    /// Stages, in the forms of events.
    static let stages = Words(["resolve", "confirm", "handle"])
    static let topics = Words([
        "requests", "resolved", "confirmed", "signals", "responses", "user-activities", "journal", "dead-letters",
    ])
    /// A list of texts, numbered from 1.
    struct Words: Sendable {
        private let texts: [StaticString]

        fileprivate init(_ texts: [StaticString]) { self.texts = texts }

        /// The number of a text; nil when it is not in the list.
        func number(_ text: RecordBytes) -> Int64? {
            for index in self.texts.indices where text.isSame(as: self.texts[index]) { return Int64(index + 1) }
            return nil
        }

        /// SQL for the text of a packed column; TEXT by affinity, since without it no index is used.
        func sql(_ column: String) -> String {
            // In reverse: they are compared one after the other, and the last ones are the usual ones.
            let cases = self.texts.enumerated().reversed()
                .map { "WHEN \($0 + 1) THEN '\($1)'" }
                .joined(separator: " ")
            return "CAST(CASE \(column) \(cases) ELSE \(column) END AS TEXT)"
        }
    }

    /// SQL for the text of a column that holds hexadecimal digits as bytes.
    static func digits(_ column: String) -> String {
        "CAST(CASE typeof(\(column)) WHEN 'blob' THEN lower(hex(\(column))) ELSE \(column) END AS TEXT)"
    }

    /// The bytes of a text of this many lower-case hexadecimal digits; nil for any other text.
    static func bytes(ofDigits text: RecordBytes, count: Int, _ arguments: ArgumentBytes) -> RecordBytes? {
        guard text.count == count else { return nil }
        var all: UInt8 = 0
        let bytes = arguments.room(count / 2)
        for index in 0..<(count / 2) {
            let high = Self.digit(text[2 * index])
            let low = Self.digit(text[2 * index + 1])
            all |= high | low
            bytes[index] = high << 4 | low & 0x0F
        }
        return all < 16 ? RecordBytes(bytes) : nil
    }

    /// The value of a digit; 16 and more for another byte.
    ///
    /// It has no branch, since digits follow no pattern.
    @inline(__always) private static func digit(_ byte: UInt8) -> UInt8 {
        let number = byte &- UInt8(ascii: "0")
        let letter = byte &- UInt8(ascii: "a")
        return number < 10 ? number : letter < 6 ? letter &+ 10 : 0xFF
    }
}
