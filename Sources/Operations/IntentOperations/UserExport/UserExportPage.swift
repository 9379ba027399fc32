internal import IntentEvents
internal import IntentKit
internal import IntentRecords

/// The index of a user's archive, for people: what the files are, and the conversations in words.
struct UserExportPage {
    /// The most lines of conversations that are shown; all of them are in `records.ndjson`.
    static let maximumLines = 20_000

    private let user: UserID
    private let now: Timestamp
    /// What was said, by interaction, in the order of time.
    private var lines: [InteractionID: [(at: Timestamp, speaker: String, text: String)]] = [:]
    private var count = 0
    /// The interactions, the newest first.
    var interactions: [RecordedInteraction] = []

    init(user: UserID, at now: Timestamp) {
        self.user = user
        self.now = now
    }

    /// Adds an event that the user has sent or received; its data is masked already.
    mutating func add(_ event: RecordedEvent, _ data: JSONValue) {
        guard let id = event.subject, self.count < Self.maximumLines, let (speaker, text) = Self.words(event, data)
        else {
            return
        }
        self.count += 1
        self.lines[id, default: []].append((event.timestamp, speaker, text))
    }

    private static func words(_ event: RecordedEvent, _ data: JSONValue) -> (speaker: String, text: String)? {
        switch event.type.flatMap({ EventType(rawValue: $0) }) {
        case .intentRequested:
            let parameters = (data["intent"]?["parameters"]?.object ?? [:]).sorted { $0.key < $1.key }
                .map { "\($0.key): \(Self.text($0.value))" }
            return ("user", ([data["intent"]?["name"]?.string ?? "?"] + parameters).joined(separator: ", "))
        case .promptAnswered:
            let value = data["value"].map(Self.text) ?? data["choice"].map { "choice \(Self.text($0))" }
            let corrections = data["corrections"].map { "corrections \(Self.text($0))" }
            return ("user", [data["action"]?.string, value, corrections].compactMap(\.self).joined(separator: " "))
        case .interactionCancelled: return ("user", "cancelled")
        case .promptIssued: return ("intentd", data["dialog"]?.string ?? data["kind"]?.string ?? "?")
        case .intentResponded:
            let code = data["code"]?.string ?? data["status"]?.string
            let reason = data["terminal"]?.bool == false ? "in progress" : data["endReason"]?.string
            return ("intentd", [code, reason, data["dialog"]?.string].compactMap(\.self).joined(separator: ": "))
        case .userNotified: return ("intentd", data["dialog"]?.string ?? "notification")
        case .eventRejected: return ("intentd", "rejected: \(data["reason"]?.string ?? "?")")
        default: return nil
        }
    }

    private static func text(_ value: JSONValue) -> String { value.string ?? value.description }

    func html(_ summary: UserExport.Summary, isMasked: Bool, readsTopics: Bool) -> HTML {
        let masked: HTML =
            isMasked
            ? "<p>Sensitive values are masked. Headers, values that only intentd reads, and the results of effects are left out.</p>"
            : ""
        let topics: HTML =
            readsTopics
            ? "" : "<p>Only the record database was read: the topics, vocabularies and state are missing.</p>"
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Records of \(self.user.text)</title><style>\
            body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
            table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}\
            summary{cursor:pointer;padding:.3rem 0}</style></head><body><h1>Records of \(self.user.text)</h1>\
            <p>Exported at \(self.now.description).</p>\(masked)\(topics)\
            <table><tr><th>File</th><th>Content</th></tr>\
            <tr><td>records.ndjson</td><td>\(summary.records) records of the topics, one a line, with their positions</td></tr>\
            <tr><td>interactions.ndjson</td><td>\(summary.interactions) interactions with their times and results</td></tr>\
            <tr><td>effects.ndjson</td><td>\(summary.effects) effects that handlers made for them</td></tr>\
            <tr><td>vocabularies.json</td><td>\(summary.vocabularies) vocabularies</td></tr>\
            <tr><td>state.ndjson</td><td>\(summary.entries) entries of the stages' state\(isMasked ? ", left out" : "")</td></tr>\
            </table><p>Tables that handlers keep of their own are not included.</p><h2>Interactions</h2>\
            \(self.interactions.map(self.section))\(self.count >= Self.maximumLines ? "<p>Further lines are in records.ndjson.</p>" : "")</body></html>
            """
    }

    private func section(_ interaction: RecordedInteraction) -> HTML {
        let id = interaction.interactionID
        let said = (id.flatMap { self.lines[$0] } ?? []).sorted { $0.at < $1.at }
        let rows = said.map { line -> HTML in
            "<tr><td>\(String(line.at.description.prefix(19)))</td><td>\(line.speaker)</td><td>\(line.text)</td></tr>"
        }
        let end = [interaction.status, interaction.code, interaction.endReason].compactMap(\.self)
            .joined(separator: ", ")
        return """
            <details><summary>\(interaction.requestedAt.map { String($0.description.prefix(19)) } ?? "-") \
            <strong>\(interaction.intent ?? "?")</strong> \(end.isEmpty ? "open" : end) \
            (\(id?.text ?? interaction.request.text))</summary><table>\(rows)</table></details>
            """
    }
}
