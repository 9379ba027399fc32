import Foundation
import IntentEvents
import IntentKit
import IntentRuntime

/// A dead letter as the commands show it, with sensitive values masked (R40).
struct DeadLetterText {
    /// The parameters to mask; nil shows everything.
    private let sensitive: SensitiveParameters?

    private static let detail = "intentd_detail"

    /// Creates a view that masks these parameters.
    init(sensitive: SensitiveParameters?) {
        self.sensitive = sensitive
    }

    /// The summary that `list` shows.
    func summary(_ letter: DeadLetter) -> JSONValue {
        let headers = letter.headers
        var from = headers.topic
        if let topic = from, let partition = headers.partition, let offset = headers.offset {
            from = "\(topic)/\(partition)/\(offset)"
        }
        return .members([
            "letter": .string(letter.name),
            "at": .string(Timestamp(milliseconds: letter.record.timestamp).description),
            "error": headers.error.map(JSONValue.string),
            "detail": self.masked(letter).detail.map(JSONValue.string),
            "type": letter.type.map(JSONValue.string),
            "user": letter.userID?.json,
            "interaction": letter.interactionID?.json,
            "request": headers.request?.json,
            "intent": letter.intent.map { .string($0.name) },
            "from": from.map(JSONValue.string),
            "size": .integer(Int64(letter.record.value?.count ?? 0)),
        ])
    }

    /// The whole letter: with its headers, and its bytes as `value` (JSON), `text` or `base64`.
    func whole(_ letter: DeadLetter) -> JSONValue {
        var members = self.summary(letter).object ?? [:]
        let shown = self.masked(letter)
        members["headers"] = .array(
            letter.record.headers.map { header in
                let value = Self.isDetail(header.name) ? shown.detail : header.text
                let base64 = header.value.map { Data($0).base64EncodedString() }
                return .members([
                    "name": .string(header.name),
                    "value": value.map(JSONValue.string) ?? (header.value == nil ? .null : nil),
                    "base64": value == nil ? base64.map(JSONValue.string) : nil,
                ])
            }
        )
        if let value = shown.value {
            members["value"] = value
        } else if let bytes = letter.record.value, self.showsBytes {
            if let text = String(validating: bytes, as: UTF8.self) {
                members["text"] = .string(text)
            } else {
                members["base64"] = .string(Data(bytes).base64EncodedString())
            }
        }
        return .object(members)
    }

    /// The whole letter, for people.
    func lines(_ letter: DeadLetter) -> [String] {
        let summary = self.summary(letter).object ?? [:]
        let shown = self.masked(letter)
        var lines = ["dead letter \(letter.name)"]
        for name in ["at", "error", "detail", "type", "user", "interaction", "request", "intent", "from"] {
            if let text = summary[name]?.string { lines.append("  \(name): \(SafeText.line(text))") }
        }
        lines.append("headers")
        for header in letter.record.headers {
            let value = (Self.isDetail(header.name) ? shown.detail.map { Array($0.utf8) } : nil) ?? header.value
            lines.append("  \(SafeText.line(header.name)): \(value.map(SafeText.line) ?? "(null)")")
        }
        switch (shown.value, letter.record.value) {
        case (let value?, _): lines += ["event", "  " + SafeText.line(value.description)]
        case (nil, let bytes?) where self.showsBytes: lines += ["event", "  " + SafeText.line(bytes)]
        case (nil, let bytes?): lines.append("event: \(bytes.count) bytes, which --reveal shows")
        case (nil, nil): lines.append("event: no value")
        }
        return lines
    }

    /// A value that is not JSON may contain a sensitive value anywhere.
    private var showsBytes: Bool { self.sensitive?.isEmpty ?? true }

    private static func isDetail(_ header: String) -> Bool {
        header == Self.detail || header == "kafka_dlt-exception-message"
    }

    /// The value, if it is JSON, and the detail, both masked.
    private func masked(_ letter: DeadLetter) -> (value: JSONValue?, detail: String?) {
        let detail = letter.headers.detail
        guard let value = letter.record.value.flatMap({ try? JSONValue(parsing: $0) }) else { return (nil, detail) }
        guard let sensitive else { return (value, detail) }
        guard var members = value.object else { return (sensitive.masked(value), detail) }
        // An error may repeat a value: when both are masked together, both lose it.
        members[Self.detail] = detail.map(JSONValue.string)
        var masked = sensitive.masked(.object(members)).object ?? [:]
        let maskedDetail = masked.removeValue(forKey: Self.detail)?.string
        return (.object(masked), maskedDetail)
    }
}
