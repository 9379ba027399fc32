internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

/// One record of a topic.
struct RecordPage {
    let record: RecordedEvent
    let masking: Masking

    func page(in frame: Frame) -> HTML {
        let position = self.record.position
        let before: HTML =
            position.offset > 0
            ? "<a class=\"button\" href=\"/records/\(position.topic.rawValue)/\(position.partition)/\(position.offset - 1)\">Previous offset</a>"
            : ""
        let after: HTML =
            "<a class=\"button\" href=\"/records/\(position.topic.rawValue)/\(position.partition)/\(position.offset + 1)\">Next offset</a>"
        let digest = RecordDigest.of(
            RecordContent(key: self.record.key, value: self.record.value, headers: self.record.headers)
        )
        return frame.page(
            "\(position.description)",
            at: nil,
            crumbs: "Record",
            actions: "<div class=\"actions\">\(before)\(after)</div>",
            """
            <div class="panel"><dl class="facts"><div><dt>Type</dt><dd>\(self.record.type ?? "not an event")</dd></div>\
            <div><dt>Written, UTC</dt><dd>\(Format.time(self.record.timestamp))</dd></div>\
            <div><dt>Source</dt><dd>\(self.record.source ?? "–")</dd></div>\
            <div><dt>User</dt><dd>\(self.record.userID?.text ?? "–")</dd></div>\
            <div><dt>Interaction</dt><dd>\(self.interaction)</dd></div>\
            <div><dt>Value</dt><dd>\(Format.bytes(self.record.value?.count ?? 0))</dd></div>\
            <div><dt>SHA-256 of key, value and headers</dt><dd class="mono small">\(digest)</dd></div></dl></div>\
            <section class="panel"><header><h2>Payload</h2></header><div class="body">\(self.value)</div></section>\
            <section class="panel"><header><h2>Headers</h2></header><div class="body">\(self.headers)</div></section>
            """
        )
    }

    /// The headers; the text of an error may repeat a sensitive value, and is on the dead letter's page, masked.
    private var headers: HTML {
        guard !self.record.headers.isEmpty else { return "<p class=\"soft\">None.</p>" }
        let rows = self.record.headers.map { header -> HTML in
            let value: HTML =
                MaskedLetter.isDetail(header.name)
                ? "<span class=\"soft\">\(Masking.mask)</span>"
                : header.text.map { "\(Format.short($0, 1_000))" }
                    ?? "<span class=\"soft\">\(Format.bytes(header.value?.count ?? 0)), no text</span>"
            return "<dt>\(header.name)</dt><dd class=\"mono\">\(value)</dd>"
        }
        return "<dl class=\"pairs\">\(rows)</dl>"
    }

    private var interaction: HTML {
        guard let subject = self.record.subject?.text else { return "–" }
        guard let request = self.record.request.flatMap({ Self.position($0.text) }) else {
            return "<a href=\"/find\(Fields([("interaction", subject)]).query)\">\(subject)</a>"
        }
        return "<a href=\"/interactions/\(request.partition)/\(request.offset)\">\(subject)</a>"
    }

    private static func position(_ request: String) -> (partition: Int, offset: Int64)? {
        let parts = request.split(separator: ":")
        guard parts.count == 2, let partition = Int(parts[0]), let offset = Int64(parts[1]) else { return nil }
        return (partition, offset)
    }

    /// A value that is not an event is not shown: it may contain anything.
    ///
    /// A turn's record contains state as text, in which no values can be recognised: its interaction's page shows it,
    /// parsed and masked.
    private var value: HTML {
        guard self.record.position.topic != .journal else {
            return "<p class=\"soft\">A turn. The interaction's page shows what it read, wrote, and decided.</p>"
        }
        guard self.record.position.topic != .deadLetters, let json = self.record.json, self.record.event != nil else {
            return "<p class=\"soft\">Masked: the record is not an event and may contain sensitive values.</p>"
        }
        return "<pre class=\"json\" tabindex=\"0\">\(Format.tree(self.masking.masked(json), limit: 60_000))</pre>"
    }
}
