internal import IntentEvents
internal import IntentKit
internal import IntentRecords
internal import LocalHTTP

/// How interactions went, by intent (R91).
struct InsightPage {
    /// A time that can be chosen.
    enum Span: String, CaseIterable {
        case hour = "1h"
        case day = "24h"
        case week = "7d"
        case month = "30d"
        case all

        var title: HTML {
            switch self {
            case .hour: "Last hour"
            case .day: "Last 24 hours"
            case .week: "Last 7 days"
            case .month: "Last 30 days"
            case .all: "All"
            }
        }

        /// The beginning of the time; nil for all.
        func since(_ now: Timestamp) -> Timestamp? {
            switch self {
            case .hour: now + -3_600_000
            case .day: now + -86_400_000
            case .week: now + -7 * 86_400_000
            case .month: now + -30 * 86_400_000
            case .all: nil
            }
        }
    }

    let insight: InteractionInsight
    let span: Span

    func page(in frame: Frame) -> HTML {
        let links = Span.allCases.map { one -> HTML in
            let current: HTML = one == self.span ? " aria-current=\"true\"" : ""
            return "<a class=\"button\" href=\"/insight?span=\(one.rawValue)\"\(current)>\(one.title)</a>"
        }
        let actions: HTML = "<div class=\"actions\">\(links)</div>"
        guard !self.insight.funnels.isEmpty else {
            return frame.page(
                "Insight",
                at: .insight,
                actions: actions,
                "<div class=\"panel\"><div class=\"empty\"><p>No interactions in this time.</p></div></div>"
            )
        }
        let note: HTML =
            self.insight.isAbandonmentCutShort
            ? "<p class=\"soft small\">Only the newest \(Format.count(InteractionInsight.maximumAbandoned)) abandoned interactions were examined for their question.</p>"
            : ""
        return frame.page(
            "Insight",
            at: .insight,
            actions: actions,
            "<div class=\"panel\">\(self.table)</div>\(note)<div class=\"flow\">\(self.insight.funnels.map(self.panel))</div>"
        )
    }

    private var table: HTML {
        let heads: [HTML] = ["Requested", "Asked", "Confirmed", "Done", "Abandoned", "Failed", "Open"]
        let rows = self.insight.funnels.map { funnel -> HTML in
            let cells: [(HTML, Int)] = [
                ("Requested", funnel.requested), ("Asked", funnel.asked), ("Confirmed", funnel.confirmed),
                ("Done", funnel.done), ("Abandoned", funnel.abandoned), ("Failed", funnel.failed),
                ("Open", funnel.open),
            ]
            let columns = cells.map { title, count -> HTML in
                "<td class=\"right num\" data-label=\"\(title)\">\(Format.count(count))\(Self.share(count, of: funnel.requested))</td>"
            }
            return "<tr><td class=\"id\">\(Self.link(funnel))</td>\(columns)</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="By intent"><table class="stack"><thead><tr>\
            <th scope="col">Intent</th>\(heads.map { "<th scope=\"col\" class=\"right\">\($0)</th>" as HTML })</tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
    }

    private static func share(_ count: Int, of total: Int) -> HTML {
        guard total > 0, count > 0, count < total else { return "" }
        let percent = Int((Double(count) / Double(total) * 100).rounded())
        return " <span class=\"soft small\">\(percent) %</span>"
    }

    private static func link(_ funnel: InteractionInsight.Funnel) -> HTML {
        guard let intent = funnel.intent else { return "–" }
        return "<a href=\"/interactions\(Fields([("intent", intent)]).query)\">\(Format.short(intent, 80))</a>"
    }

    /// Where users gave up, why others failed, and where the time went; empty where none of it is known.
    private func panel(_ funnel: InteractionInsight.Funnel) -> HTML {
        guard funnel.hasDetails else { return "" }
        let abandonments = funnel.abandonments.map { Self.row($0.words, Format.count($0.count), link: nil) }
        let failures = funnel.failures.map { failure in
            let query = Fields([("intent", funnel.intent), ("code", failure.reason)]).query
            return Self.row(failure.words, Format.count(failure.count), link: "/interactions\(query)")
        }
        let times = funnel.meanTimes.map { time -> HTML in
            "<tr><td>\(Format.words(time.state))</td><td class=\"right num\">\(Format.duration(time.milliseconds))</td></tr>"
        }
        return """
            <section class="panel"><header><h2>\(Format.short(funnel.intent ?? "–", 80))</h2></header><div class="body">\
            \(Self.list("Abandoned at", abandonments))\(Self.list("Failed with", failures))\
            \(Self.list("Mean time, newest \(Format.count(funnel.timed))", times))</div></section>
            """
    }

    private static func list(_ title: HTML, _ rows: [HTML]) -> HTML {
        rows.isEmpty ? "" : "<h3>\(title)</h3><table><tbody>\(rows)</tbody></table>"
    }

    private static func row(_ words: String, _ count: HTML, link: HTML?) -> HTML {
        let text: HTML =
            link.map { "<a href=\"\($0)\">\(Format.short(words, 120))</a>" } ?? "\(Format.short(words, 120))"
        return "<tr><td>\(text)</td><td class=\"right num\">\(count)</td></tr>"
    }
}
