internal import Foundation
internal import IntentEvents
package import IntentKit
package import IntentRecords
package import IntentRuntime

/// A dead letter as it is shown, with sensitive values masked (R40).
package struct MaskedLetter: Sendable {
    private static let detailHeader = "intentd_detail"
    private static let besideEvent = "intentd_letter"

    package let letter: DeadLetter
    /// The value; nil when it is no JSON.
    package let value: JSONValue?
    /// What the error says.
    package let detail: String?
    /// Whether bytes that are no JSON are shown: they may contain a sensitive value anywhere.
    package let showsBytes: Bool
    /// Its mark as handled; nil for a letter that is not.
    package var handled: LetterHandling?

    /// Masks a letter.
    ///
    /// - Parameters:
    ///   - letter: The letter.
    ///   - masking: Masks the values.
    ///   - interaction: The interaction that ended with it, whose values its error may repeat; nil where not known.
    package init(_ letter: DeadLetter, _ masking: Masking, interaction: RecordedInteraction? = nil) {
        self.letter = letter
        self.showsBytes = masking.isEmpty
        let detail = letter.headers.detail
        let value = letter.record.value.flatMap { try? JSONValue(parsing: $0) }
        guard !masking.isRevealed else {
            (self.value, self.detail) = (value, detail)
            return
        }
        // An error may repeat a value: when both are masked together, both lose it.
        var members = value?.object ?? [:]
        members[Self.besideEvent] = .members([
            "detail": detail.map(JSONValue.string), "parameters": interaction?.parameters,
        ])
        var masked = masking.masked(.object(members)).object ?? [:]
        self.detail = masked.removeValue(forKey: Self.besideEvent)?["detail"]?.string
        self.value = value?.object == nil ? value.map(masking.masked) : .object(masked)
    }

    /// Masks a letter of the records.
    package init(_ story: LetterStory, prefix: String, _ masking: Masking) {
        self.init(
            DeadLetter(story.record.record(prefix: prefix), prefix: prefix),
            masking,
            interaction: story.interaction
        )
        self.handled = story.handled
    }

    /// The letter in brief.
    package var summary: JSONValue {
        let headers = self.letter.headers
        var from = headers.topic
        if let topic = from, let partition = headers.partition, let offset = headers.offset {
            from = "\(topic)/\(partition)/\(offset)"
        }
        return .members([
            "letter": .string(self.letter.name),
            "at": .string(Timestamp(milliseconds: self.letter.record.timestamp).description),
            "error": headers.error.map(JSONValue.string),
            "detail": self.detail.map(JSONValue.string),
            "type": self.letter.type.map(JSONValue.string),
            "user": self.letter.userID?.json,
            "interaction": self.letter.interactionID?.json,
            "request": headers.request?.json,
            "intent": self.letter.intent.map { .string($0.name) },
            "from": from.map(JSONValue.string),
            "handled": self.handled?.json,
            "size": .integer(Int64(self.letter.record.value?.count ?? 0)),
        ])
    }

    /// The whole letter: with its headers, and its bytes as `value` (JSON), `text` or `base64`.
    package var whole: JSONValue {
        var members = self.summary.object ?? [:]
        members["headers"] = .array(
            self.letter.record.headers.map { header in
                let value = Self.isDetail(header.name) ? self.detail : header.text
                let base64 = header.value.map { Data($0).base64EncodedString() }
                return .members([
                    "name": .string(header.name),
                    "value": value.map(JSONValue.string) ?? (header.value == nil ? .null : nil),
                    "base64": value == nil ? base64.map(JSONValue.string) : nil,
                ])
            }
        )
        if let value {
            members["value"] = value
        } else if let bytes = self.letter.record.value, self.showsBytes {
            if let text = String(validating: bytes, as: UTF8.self) {
                members["text"] = .string(text)
            } else {
                members["base64"] = .string(Data(bytes).base64EncodedString())
            }
        }
        return .object(members)
    }

    /// Whether a header repeats what the error says.
    package static func isDetail(_ header: String) -> Bool {
        header == Self.detailHeader || header == "kafka_dlt-exception-message"
    }
}
