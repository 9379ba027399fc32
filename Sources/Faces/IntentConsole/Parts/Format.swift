internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import LocalHTTP

/// Formats values.
enum Format {
    /// A day and a time in UTC, to the second.
    static func time(_ time: Timestamp) -> HTML {
        let text = time.description
        return
            "<time class=\"num nowrap\" datetime=\"\(text)\">\(String(text.prefix(10))) \(String(text.dropFirst(11).prefix(8)))</time>"
    }

    /// A time of day in UTC, to the millisecond.
    static func clock(_ time: Timestamp) -> HTML {
        let text = time.description
        return "<time class=\"num nowrap\" datetime=\"\(text)\">\(String(text.dropFirst(11).prefix(12)))</time>"
    }

    static func duration(_ milliseconds: Int64?) -> HTML {
        guard let milliseconds else { return "–" }
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<60_000: return "\(HTML(number: Double(milliseconds) / 1_000)) s"
        case ..<3_600_000: return "\(milliseconds / 60_000) min \(milliseconds / 1_000 % 60) s"
        case ..<86_400_000: return "\(milliseconds / 3_600_000) h \(milliseconds / 60_000 % 60) min"
        default: return "\(milliseconds / 86_400_000) d \(milliseconds / 3_600_000 % 24) h"
        }
    }

    /// A number with separated thousands.
    static func count(_ number: some BinaryInteger) -> HTML {
        let digits = String(number.magnitude)
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped += "\u{202F}" }
            grouped.append(digit)
        }
        return number.signum() < 0 ? "−\(grouped)" : "\(grouped)"
    }

    /// A rate per second.
    static func rate(_ rate: Double) -> HTML {
        switch rate {
        case 0: "0"
        case ..<0.1: "<0.1"
        case ..<100: HTML(number: rate)
        default: Self.count(Int64(rate.rounded()))
        }
    }

    /// A number of bytes.
    static func bytes(_ count: Int) -> HTML {
        switch count {
        case ..<1_024: "\(count) B"
        case ..<(1 << 20): "\(HTML(number: Double(count) / 1_024)) KiB"
        default: "\(HTML(number: Double(count) / Double(1 << 20))) MiB"
        }
    }

    /// A value in a few words.
    static func value(_ value: JSONValue) -> String { ValueText.short(value) }

    /// The first characters, up to a limit.
    static func short(_ text: String, _ limit: Int = 200) -> String {
        text.count > limit ? text.prefix(limit) + "…" : text
    }

    /// The names and values that are present, sorted by name.
    static func pairs(_ members: JSONObject) -> HTML {
        let shown = members.filter { !$0.value.isNull }.sorted { $0.key < $1.key }
        guard !shown.isEmpty else { return "" }
        let rows: [HTML] = shown.map { "<dt>\($0.key)</dt><dd>\(Self.short(Self.value($0.value), 1_000))</dd>" }
        return "<dl class=\"pairs\">\(rows)</dl>"
    }

    /// JSON for people, with one member on each line.
    static func tree(_ value: JSONValue, limit: Int = 20_000) -> String {
        var text = ""
        Self.write(value, indent: "", to: &text)
        return text.utf8.count > limit ? Self.short(text, limit) : text
    }

    private static func write(_ value: JSONValue, indent: String, to text: inout String) {
        switch value {
        case .object(let members) where !members.isEmpty:
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                text += (index > 0 ? "," : "") + "\n\(indent)  \(JSONValue.string(member.key)): "
                Self.write(member.value, indent: indent + "  ", to: &text)
            }
            text += "\n\(indent)}"
        case .array(let elements) where elements.contains { $0.object != nil }:
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? "," : "") + "\n\(indent)  "
                Self.write(element, indent: indent + "  ", to: &text)
            }
            text += "\n\(indent)]"
        default: text += value.description
        }
    }

    /// The status of an interaction.
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - times: Where it is, and since when; nil where only its responses are known.
    /// - Returns: The status.
    static func pill(_ interaction: RecordedInteraction, _ times: InteractionTimes? = nil) -> HTML {
        guard interaction.endedAt != nil else {
            let text: HTML =
                switch times?.state {
                case .awaitingUser:
                    interaction.status == "userConfirmationRequired" ? "awaiting confirmation" : "awaiting a value"
                case let state?: "\(Self.words(state))\(times.map(Self.attempts) ?? "")"
                case nil:
                    switch interaction.status {
                    case "userConfirmationRequired": "awaiting confirmation"
                    case nil where interaction.prompts > 0: "awaiting a value"
                    case "queued": "queued"
                    case "inProgress": "in progress"
                    default: "open"
                    }
                }
            return "<span class=\"pill wait\">\(text)</span>"
        }
        let code = interaction.code ?? interaction.status ?? "ended"
        switch interaction.status {
        case "success": return "<span class=\"pill good\">\(code)</span>"
        case "deferredToApplication": return "<span class=\"pill warn\">\(code)</span>"
        case "failure":
            return
                "<span class=\"pill bad\">\(interaction.endReason.map { $0 == "failed" ? code : EndReasonWords.text($0) } ?? code)</span>"
        default: return "<span class=\"pill\">\(code)</span>"
        }
    }

    /// A state in words.
    static func words(_ state: InteractionState) -> HTML {
        switch state {
        case .queued: "queued"
        case .running: "running"
        case .retrying: "retrying"
        case .paused: "paused"
        case .awaitingUser: "awaiting the user"
        case .awaitingUnlock: "awaiting an unlock"
        case .awaitingSignIn: "awaiting a sign-in"
        case .awaitingApp: "awaiting the app"
        case .awaitingOperator: "awaiting an operator"
        case .committing: "committing"
        case .ended: "ended"
        }
    }

    /// Which attempt runs, or is next and when.
    private static func attempts(_ times: InteractionTimes) -> HTML {
        guard let attempt = times.attempt, attempt > 1 || times.attempts != nil else { return "" }
        let all: HTML = times.attempts.map { " of \($0)" } ?? ""
        let next: HTML = times.nextAt.map { ", next at \(Self.clock($0))" } ?? ""
        return ": attempt \(attempt)\(all)\(next)"
    }

    /// A choice among names in a form; without one of them, `any`.
    static func choice(_ name: HTML, _ chosen: String?, any: HTML, _ names: [String]) -> HTML {
        // An intent that is asked for but not known here stays selected.
        let all = chosen.map { names.contains($0) ? names : [$0] + names } ?? names
        let options = all.map { one -> HTML in
            let mark: HTML = one == chosen ? " selected" : ""
            return "<option value=\"\(one)\"\(mark)>\(one)</option>"
        }
        return "<select name=\"\(name)\"><option value=\"\">\(any)</option>\(options)</select>"
    }

    /// The fields of a form for the operators' log: who acts, and why (R93b).
    ///
    /// - Parameters:
    ///   - form: The form that has been sent; nil for none.
    ///   - reason: What is asked for.
    ///   - isReasonRequired: Whether the form is refused without it.
    /// - Returns: The fields.
    static func operatorFields(
        _ form: Fields? = nil,
        reason: HTML = "Reason",
        isReasonRequired: Bool = false
    ) -> HTML {
        let mark: HTML = isReasonRequired ? " required" : ""
        return """
            <label>Your name<input name="by" value="\(form?["by"] ?? "")" maxlength="128" autocomplete="name" \
            placeholder="console"></label>\
            <label class="wide">\(reason)<input name="reason" value="\(form?["reason"] ?? "")" maxlength="1024" autocomplete="off"\(mark)></label>
            """
    }

    /// The path of an interaction's page.
    static func path(_ interaction: RecordedInteraction) -> HTML {
        "/interactions/\(interaction.position.partition)/\(interaction.position.offset)"
    }

    /// An interaction's id, as a link to the latest interaction of that id.
    static func find(_ id: InteractionID) -> HTML {
        "<a class=\"id\" href=\"/find\(Fields([("interaction", id.text)]).query)\">\(Self.short(id.text, 60))</a>"
    }

    /// A record's position, as a link to it.
    static func link(_ position: RecordPosition) -> HTML {
        "<a class=\"mono\" href=\"/records/\(position.topic.rawValue)/\(position.partition)/\(position.offset)\">\(position.description)</a>"
    }

    /// The position in a text, as a link; the text itself when it names none.
    static func link(positionIn text: String) -> HTML {
        RecordPosition(text).map(Self.link) ?? "<code>\(text)</code>"
    }
}
