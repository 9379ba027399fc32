internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

/// The operators' log: who did what, when and why (R93).
struct OperatorsPage {
    /// The number of acts that are shown.
    static let limit = 200

    /// The fields of the address.
    let query: Fields
    /// The newest acts that match.
    let acts: [RecordedAct]
    var problem: String?

    /// Reads the filter of an address, and what of it could not be read.
    static func filter(_ query: Fields, now: Timestamp) -> (filter: ActFilter, problem: String?) {
        var filter = ActFilter()
        filter.by = query["by"]
        filter.userID = query["user"].map { UserID($0) }
        filter.interactionID = query["interaction"].map { InteractionID($0) }
        do throws(OperationError) {
            if let act = query["act"] {
                guard let kind = OperatorAct.Kind(rawValue: act) else {
                    throw OperationError(.usage, "unknown act '\(act)'; use \(Self.kinds.joined(separator: ", "))")
                }
                filter.act = kind.rawValue
            }
            if let since = query["since"] { filter.since = try TimeText.required(since, now: now) }
            if let until = query["until"] { filter.until = try TimeText.required(until, now: now) }
        } catch {
            return (filter, error.message)
        }
        return (filter, nil)
    }

    private static var kinds: [String] { OperatorAct.Kind.allCases.map(\.rawValue) }

    func page(in frame: Frame) -> HTML {
        let note: HTML = self.problem.map { "<p class=\"note bad\" role=\"alert\">\($0)</p>" } ?? ""
        return frame.page(
            "Operators’ log",
            at: .operators,
            actions: "<a class=\"button\" href=\"/pauses\">Pauses</a>",
            "\(note)<div class=\"panel\">\(self.form)</div>\(self.content)"
        )
    }

    private var form: HTML {
        """
        <form class="filters" method="get" action="/operators" role="search">\
        <label>Operator<input name="by" value="\(self.query["by"] ?? "")" maxlength="128"></label>\
        <label>Act\(Format.choice("act", self.query["act"], any: "any act", Self.kinds))</label>\
        <label>User<input name="user" value="\(self.query["user"] ?? "")" maxlength="500"></label>\
        <label>Interaction<input name="interaction" value="\(self.query["interaction"] ?? "")" maxlength="500"></label>\
        <label>Since<input name="since" value="\(self.query["since"] ?? "")" maxlength="40" placeholder="6h, 2026-11-21"></label>\
        <label>Until<input name="until" value="\(self.query["until"] ?? "")" maxlength="40" placeholder="15m"></label>\
        <div class="actions"><button class="main">Find</button><a class="button" href="/operators">Clear</a></div></form>
        """
    }

    private var content: HTML {
        guard !self.acts.isEmpty else {
            return """
                <div class="panel"><div class="empty"><p>No acts of operators.</p><p class="small">Cancelling, retrying, \
                pausing, redriving, marking and deciding are recorded here, with who did it and why.</p></div></div>
                """
        }
        let reach: HTML =
            self.acts.count < Self.limit
            ? ""
            : """
            <p class="soft small">The newest \(Self.limit) are shown; <code>intentd operators log</code> shows more.</p>
            """
        return "<div class=\"panel\">\(Self.table(self.acts, label: nil))</div>\(reach)"
    }

    /// A table of acts.
    static func table(_ acts: [RecordedAct], label: HTML?) -> HTML {
        let name: HTML = label.map { "aria-labelledby=\"\($0)\"" } ?? "aria-label=\"Acts\""
        return """
            <div class="scroll" tabindex="0" role="group" \(name)><table class="stack"><thead><tr>\
            <th scope="col">At, UTC</th><th scope="col">Operator</th><th scope="col">Act</th><th scope="col">User</th>\
            <th scope="col">Interaction</th><th scope="col">About</th><th scope="col">Reason</th></tr></thead>\
            <tbody>\(acts.map(Self.row))</tbody></table></div>
            """
    }

    private static func row(_ act: RecordedAct) -> HTML {
        let via: HTML = act.via.map { " <span class=\"soft small\">\($0)</span>" } ?? ""
        let interaction: HTML = act.interactionID.map(Format.find) ?? "–"
        let isAboutLetter = [OperatorAct.Kind.redrive, .handled].contains { $0.rawValue == act.act }
        let target: HTML =
            act.target.map { target -> HTML in
                guard isAboutLetter, let name = try? DeadLetterName(target) else {
                    return "\(Format.short(target, 80))"
                }
                return "<a href=\"/dead-letters/\(name.text)\">dead letter \(name.text)</a>"
            } ?? "–"
        return """
            <tr><td data-label="At, UTC">\(Format.time(act.at))</td>\
            <td data-label="Operator">\(Format.short(act.by, 128))\(via)</td><td data-label="Act">\(act.act)</td>\
            <td data-label="User">\(act.userID.map { Format.short($0.text, 80) } ?? "–")</td>\
            <td data-label="Interaction">\(interaction)</td><td data-label="About">\(target)</td>\
            <td data-label="Reason">\(act.reason.map { Format.short($0, 1_024) } ?? "–")</td></tr>
            """
    }
}
