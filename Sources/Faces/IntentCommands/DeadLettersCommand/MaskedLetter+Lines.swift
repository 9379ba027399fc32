import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

extension MaskedLetter {
    /// The whole letter, for people.
    var lines: [String] {
        let summary = self.summary.object ?? [:]
        var lines = ["dead letter \(self.letter.name)"]
        for name in ["at", "error", "detail", "type", "user", "interaction", "request", "intent", "from"] {
            if let text = summary[name]?.string { lines.append("  \(name): \(SafeText.line(text))") }
        }
        if let handled { lines.append(SafeText.line("  handled: \(handled.summary)")) }
        if let id = self.letter.interactionID, let request = self.letter.headers.request {
            lines.append(SafeText.line("  see: intentd show \(id) --request \(request)"))
        }
        lines.append("headers")
        for header in self.letter.record.headers {
            let value = (Self.isDetail(header.name) ? self.detail.map { Array($0.utf8) } : nil) ?? header.value
            lines.append("  \(SafeText.line(header.name)): \(value.map(SafeText.line) ?? "(null)")")
        }
        switch (self.value, self.letter.record.value) {
        case (let value?, _): lines += ["event", "  " + SafeText.line(value.description)]
        case (nil, let bytes?) where self.showsBytes: lines += ["event", "  " + SafeText.line(bytes)]
        case (nil, let bytes?): lines.append("event: \(bytes.count) bytes (--reveal shows them)")
        case (nil, nil): lines.append("event: no value")
        }
        return lines
    }
}
