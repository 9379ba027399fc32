internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import LocalHTTP

/// The audits that run here, with their outcomes.
struct AuditPage {
    /// The kinds of audits that can be run.
    let kinds: [AuditJobs.Kind]
    /// The audits that were requested, the newest first.
    let jobs: [AuditJobs.Job]
    /// The secret in our own forms.
    let formToken: String
    let masking: Masking

    func page(in frame: Frame) -> HTML {
        let cards = AuditJobs.Kind.allCases.map { kind -> HTML in
            let isAvailable = self.kinds.contains(kind)
            let form: HTML =
                isAvailable
                ? """
                <form method="post" action="/audit"><input type="hidden" name="form" value="\(self.formToken)">\
                <button name="kind" value="\(kind.rawValue)">Run</button></form>
                """ : "<p class=\"small soft\">Needs a broker.</p>"
            return
                "<section class=\"panel card\"><h2>\(Self.title(kind))</h2><p class=\"soft\">\(Self.description(kind))</p>\(form)</section>"
        }
        let rows = self.jobs.map { job -> HTML in
            """
            <li><span><a href="/audit/\(job.number)">\(Self.title(job.kind)) \(job.number)</a> \(Self.mark(job))</span></li>
            """
        }
        let done: HTML =
            rows.isEmpty
            ? ""
            : "<section class=\"panel\"><header><h2>Runs</h2></header><div class=\"body\"><ul class=\"rows\">\(rows)</ul></div></section>"
        return frame.page(
            "Audit",
            at: .audit,
            "<p class=\"soft\">These checks are read-only: they write to no topic, join no consumer group and make no effects.</p><div class=\"cards\">\(cards)</div>\(done)"
        )
    }

    func page(of job: AuditJobs.Job, in frame: Frame) -> HTML {
        let live: HTML = job.isRunning ? " data-live=\"/live/audit/\(job.number)\"" : ""
        let again: HTML =
            job.isRunning ? "<noscript><a class=\"button\" href=\"/audit/\(job.number)\">Refresh</a></noscript>" : ""
        return frame.page(
            "\(Self.title(job.kind)) \(job.number)",
            at: .audit,
            crumbs: "<a href=\"/audit\">Audit</a>",
            actions: again,
            "<div class=\"flow\"\(live)>\(self.live(job))</div>"
        )
    }

    /// The part that changes while it runs.
    func live(_ job: AuditJobs.Job) -> HTML {
        "<p>\(Self.mark(job))</p>\(self.body(job))"
    }

    /// The progress of an audit, or its outcome.
    private func body(_ job: AuditJobs.Job) -> HTML {
        switch job.outcome {
        case .running:
            let bar: HTML =
                job.total > 0
                ? "<progress value=\"\(min(job.done, job.total))\" max=\"\(job.total)\" aria-label=\"Progress\"></progress><p class=\"soft num\">\(Format.count(job.done)) of \(Format.count(job.total))</p>"
                : "<progress aria-label=\"Progress\"></progress><p class=\"soft\">Starting…</p>"
            return "<div class=\"panel\"><div class=\"body\">\(bar)</div></div>"
        case .failed(let message): return "<p class=\"note bad\" role=\"alert\">The check failed: \(message)</p>"
        case .verified(let report): return Self.body(report)
        case .replayed(let report): return self.body(report)
        case .shadowed(let report): return Self.body(report)
        }
    }

    private static func title(_ kind: AuditJobs.Kind) -> HTML {
        switch kind {
        case .verify: "Verify"
        case .replay: "Replay"
        case .shadow: "Shadow run"
        }
    }

    private static func description(_ kind: AuditJobs.Kind) -> HTML {
        switch kind {
        case .verify: "Cross-checks chains, events, outputs, state, records and effects."
        case .replay: "Runs each recorded turn again and compares the results byte for byte."
        case .shadow: "Plays recorded interactions with the current handlers and shows which would differ."
        }
    }

    private static func mark(_ job: AuditJobs.Job) -> HTML {
        let (cssClass, text): (HTML, HTML) =
            switch job.outcome {
            case .running: ("wait", "running")
            case .failed: ("bad", "failed")
            case .verified(let report):
                report.isSound ? ("good", "sound") : ("bad", "\(report.findings.count) findings")
            case .replayed(let report): report.isMatched ? ("good", "all matched") : ("bad", "not all matched")
            case .shadowed(let report):
                report.differing == 0 ? ("good", "no differences") : ("warn", "\(report.differing) differ")
            }
        return "<span class=\"pill \(cssClass)\">\(text)</span>"
    }

    private static func body(_ report: AuditReport) -> HTML {
        let notes = report.notes.prefix(50).map { note -> HTML in "<p class=\"note warn\">\(note)</p>" }
        let rows = report.findings.prefix(500)
            .map { one -> HTML in
                """
                <tr><td><span class="pill bad">\(one.subject.rawValue)</span></td>\
                <td>\(Self.interaction(one.about?.interactionID?.text))</td>\
                <td>\(Format.link(positionIn: one.location))</td>\
                <td>\(one.detail)</td></tr>
                """
            }
        let table: HTML =
            rows.isEmpty
            ? "<p class=\"note good\">Verified: no discrepancies.</p>"
            : """
            <div class="panel scroll" tabindex="0" role="group" aria-label="Findings"><table><thead><tr><th scope="col">Subject</th>\
            <th scope="col">Interaction</th><th scope="col">Position</th><th scope="col">Problem</th></tr></thead><tbody>\(Array(rows))</tbody></table></div>
            """
        return """
            <div class="tiles">\(Self.tile("Turns", report.turns))\(Self.tile("Records", report.records))\
            \(Self.tile("State entries", report.states))\(Self.tile("Rows", report.rows))\(Self.tile("Effects", report.effects))\
            </div>\(table)\(Array(notes))
            """
    }

    private func body(_ report: ReplayReport) -> HTML {
        let tiles = TurnVerdict.Outcome.allCases.map { Self.tile("\($0.rawValue)", report.counts[$0] ?? 0) }
        let rows = report.verdicts.prefix(300)
            .map { one -> HTML in
                let difference = one.difference
                func text(_ value: JSONValue?) -> String {
                    value.map { Format.short(self.masking.masked($0, at: difference?.path ?? "").description, 200) }
                        ?? ""
                }
                return """
                    <tr><td><span class="pill bad">\(one.outcome.rawValue)</span></td><td>\(Self.interaction(one.interactionID?.text))\
                    </td><td>\(one.stage?.rawValue ?? "–")</td><td><code>\(difference?.path ?? "")</code></td>\
                    <td><code>\(text(difference?.then))</code></td><td><code>\(text(difference?.now))</code></td><td>\(one.advice)</td></tr>
                    """
            }
        let table: HTML =
            rows.isEmpty
            ? "<p class=\"note good\">All \(Format.count(report.turns)) turns reproduced identically.</p>"
            : """
            <div class="panel scroll" tabindex="0" role="group" aria-label="Turns that did not match"><table><thead><tr>\
            <th scope="col">Verdict</th><th scope="col">Interaction</th><th scope="col">Stage</th><th scope="col">At</th>\
            <th scope="col">Then</th><th scope="col">Now</th><th scope="col">Advice</th></tr></thead>\
            <tbody>\(Array(rows))</tbody></table></div>
            """
        return "<div class=\"tiles\">\(tiles)</div>\(table)"
    }

    private static func body(_ report: ShadowReport) -> HTML {
        let rows = report.groups.prefix(200)
            .map { group -> HTML in
                let example = group.examples.first
                let examples = (example?.interactions ?? []).prefix(5).map { Self.interaction($0.text) }
                    .joined(by: ", ")
                func text(_ value: JSONValue?) -> String {
                    value.map { Format.short($0.string ?? $0.description, 200) } ?? ""
                }
                return """
                    <tr><td>\(group.intent)</td><td>\(group.kind.rawValue)</td><td><code>\(group.path)</code></td>\
                    <td class="right num">\(Format.count(group.count))</td><td>\(text(example?.then))</td>\
                    <td>\(text(example?.now))</td><td>\(examples)</td></tr>
                    """
            }
        let unknowns = report.unknowns.prefix(50)
            .map { one -> HTML in
                let examples = one.interactions.prefix(5).map { Self.interaction($0.text) }.joined(by: ", ")
                return """
                    <p class="note warn">Unknown: \(Format.count(one.interactions.count)) \(one.reason) (\(examples))</p>
                    """
            }
        let changes = report.changes
        let changed = changes.reduce(0) { $0 + $1.interactions.count }
        let ends: HTML =
            changes.isEmpty
            ? ""
            : """
            <section class="panel"><header><h2>Recorded and current outcomes</h2></header><div class="body">\
            \(OutcomeFlow.drawing(changes, same: report.interactions - report.unknown - changed))</div></section>
            """
        let same: HTML = report.unknown > 0 ? "" : "<p class=\"note good\">Every interaction would end as recorded.</p>"
        let table: HTML =
            rows.isEmpty
            ? same
            : """
            \(ends)<div class="panel scroll" tabindex="0" role="group" aria-label="Differences"><table><thead><tr>\
            <th scope="col">Intent</th><th scope="col">Kind</th><th scope="col">Where</th>\
            <th scope="col" class="right">Count</th><th scope="col">Then</th><th scope="col">Now</th>\
            <th scope="col">Examples</th></tr></thead><tbody>\(Array(rows))</tbody></table></div>
            """
        return """
            <div class="tiles">\(Self.tile("Interactions", report.interactions))\(Self.tile("Would differ", report.differing))\
            \(Self.tile("Unknown", report.unknown))\(Self.tile("Left out", report.leftOut))</div>\(table)\(Array(unknowns))
            """
    }

    private static func interaction(_ id: String?) -> HTML {
        guard let id else { return "–" }
        return "<a href=\"/find\(Fields([("interaction", id)]).query)\">\(Format.short(id, 60))</a>"
    }

    private static func tile(_ name: HTML, _ count: Int) -> HTML {
        "<div class=\"tile\"><h2>\(name)</h2><p>\(Format.count(count))</p></div>"
    }
}
