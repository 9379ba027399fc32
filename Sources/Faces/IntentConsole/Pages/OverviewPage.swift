internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime

/// The overview: figures, charts, the pipeline, and the workers of each partition.
struct OverviewPage {
    let known: ActivityFeed.Snapshot
    /// The time span of the charts.
    let span: ActivitySeries.Span
    let now: Timestamp
    /// The prefix of the names of groups and topics, which are shown without it.
    let prefix: String

    func page(in frame: Frame) -> HTML {
        let tabs = ActivitySeries.Span.allCases.map { one -> HTML in
            let current: HTML = one == self.span ? " aria-current=\"true\"" : ""
            return "<a href=\"/?span=\(one.rawValue)\"\(current)>\(one.rawValue)</a>"
        }
        return frame.page(
            "Overview",
            at: .overview,
            actions: """
                <span class="soft small"><span data-live-state role="status">As of \(Format.clock(self.now)) UTC</span>\
                <span data-live-age></span></span>\
                <nav class="tabs" aria-label="How far back">\(tabs)</nav>
                """,
            "<div class=\"flow\" data-live=\"/live/overview?span=\(self.span.rawValue)\">\(self.body)</div>"
        )
    }

    /// The part that changes over time.
    var body: HTML {
        let steps = self.known.series.steps(self.span, now: self.now)
        let seconds = Double(self.span.step) / 1_000
        let start = steps.first?.at ?? self.now
        let asked = Chart(
            title: "Requests and completed interactions per second",
            lines: [
                .init(name: "requests", values: steps.map { Double($0.step.requests) / seconds }),
                .init(name: "completed", values: steps.map { Double($0.step.ended) / seconds }),
                .init(name: "prompts", values: steps.map { Double($0.step.prompts) / seconds }),
            ],
            start: start,
            step: self.span.step,
            format: { Format.rate($0) }
        )
        let waits = Chart(
            title: "Milliseconds from a request to the first reply",
            lines: [
                .init(name: "p50", values: steps.map { $0.step.firstWord.quantile(0.5) }),
                .init(name: "p95", values: steps.map { $0.step.firstWord.quantile(0.95) }),
                .init(name: "p99", values: steps.map { $0.step.firstWord.quantile(0.99) }),
            ],
            start: start,
            step: self.span.step,
            format: { Format.duration(Int64($0.rounded())) }
        )
        return """
            \(self.verdict)\(self.tiles(steps.map(\.step)))\
            <section class="panel" aria-labelledby="pipeline"><header><h2 id="pipeline">Pipeline</h2>\
            <span class="soft small">over the last minute</span></header><div class="body">\
            \(PipelinePicture(minute: self.known.series.lastMinute(now: self.now), groups: self.conditions, prefix: self.prefix).html)</div></section>\
            <div class="grid2"><section class="panel" aria-labelledby="rates"><header><h2 id="rates">Requests per second</h2>\
            <span class="soft small">UTC</span></header><div class="body">\(asked.html)</div></section>\
            <section class="panel" aria-labelledby="waits"><header><h2 id="waits">Time to first reply</h2>\
            <span class="soft small">prompt or response</span></header><div class="body">\(waits.html)</div></section>\
            \(self.health)\(self.workers)</div>\(self.groups)
            """
    }

    /// The groups as far as they are known to be current; in a deployment that is new, nobody is missed.
    private var conditions: [GroupCondition] {
        self.areGroupsCurrent && !self.known.isNew ? self.known.groups.conditions : []
    }

    private var areGroupsCurrent: Bool { Verdict.isCurrent(self.known.groupsAt, self.now) }

    /// One verdict, and the reasons for it.
    private var verdict: HTML {
        let verdict = Verdict(self.known, now: self.now, prefix: self.prefix)
        let (cssClass, title): (HTML, HTML) =
            switch verdict.severity {
            case nil: (" good", "Healthy")
            case .unknown: ("", "Not everything is known")
            case .warning: (" warn", "Needs attention")
            case .fault: (" bad", "Unhealthy")
            }
        let reasons = verdict.reasons.map { reason -> HTML in
            let text: HTML = "\(reason.text)"
            return reason.path.map { "<li><a href=\"\($0)\">\(text)</a></li>" } ?? "<li>\(text)</li>"
        }
        let list: HTML = reasons.isEmpty ? "" : "<ul class=\"reasons\" id=\"reasons\">\(reasons)</ul>"
        let error: HTML =
            self.known.lagError
            .map { text -> HTML in
                "<details id=\"broker-error\"><summary>Error of the client library</summary><p>\(text)</p></details>"
            } ?? ""
        let history: HTML =
            self.known.isWhole || self.known.problem != nil || self.known.hasNoRecords
            ? "" : "<p class=\"note\">Earlier records are still being read: charts fill from the right.</p>"
        return """
            <section class="note verdict\(cssClass)" aria-labelledby="verdict"><h2 id="verdict">\(title)</h2>\(list)\(error)</section>\
            \(history)
            """
    }

    /// How long ago something was found out; marked when it is no longer current.
    private func age(_ at: Timestamp?) -> HTML {
        guard let at else { return "<span class=\"age\">not known yet</span>" }
        let stale: HTML = Verdict.isCurrent(at, self.now) ? "" : " stale"
        let seconds = max(0, self.now - at) / 1_000
        let age: HTML = seconds < 60 ? "\(seconds) s" : Format.duration(seconds * 1_000)
        return "<span class=\"age\(stale)\">\(age) ago</span>"
    }

    private func tiles(_ steps: [ActivitySeries.Step]) -> HTML {
        let minute = self.known.series.lastMinute(now: self.now)
        let waits = steps.reduce(into: LatencyHistogram()) { $0.add($1.firstWord) }
        let lag = self.known.groups.lags.reduce(Int64(0)) { $0 + $1.lag }
        func wait(_ share: Double) -> HTML { waits.quantile(share).map { Format.duration(Int64($0.rounded())) } ?? "–" }
        func tile(_ title: HTML, _ figure: HTML, _ at: Timestamp?, isBad: Bool = false) -> HTML {
            let cssClass: HTML = isBad ? " bad" : ""
            return "<div class=\"tile\(cssClass)\"><h2>\(title)</h2><p>\(figure)</p>\(self.age(at))</div>"
        }
        let (records, counted) = (self.known.recordsAt, self.known.countedAt)
        let handled = self.known.handled ?? 0
        let unhandled = self.known.letters.map { $0 - handled }
        let marked: HTML = handled > 0 ? " <small>and \(Format.count(handled)) handled</small>" : ""
        let letters: HTML = "\(unhandled.map { Format.count($0) } ?? "–")\(marked)"
        let tiles = [
            tile("Requests", "\(Format.rate(Double(minute.requests) / 60)) <small>/s</small>", records),
            tile("Completed", "\(Format.rate(Double(minute.ended) / 60)) <small>/s</small>", records),
            tile("Time to first reply, p50", wait(0.5), records), tile("Time to first reply, p95", wait(0.95), records),
            tile(
                "<a href=\"/interactions?state=open\">Open</a>",
                self.known.open.map { Format.count($0) } ?? "–",
                counted
            ),
            tile(
                "<a href=\"/interactions?status=queued\">Queued</a>",
                self.known.queued.map { Format.count($0) } ?? "–",
                counted
            ),
            tile("<a href=\"/dead-letters\">Dead letters</a>", letters, counted, isBad: unhandled ?? 0 > 0),
            tile("Lag (records)", self.known.groups.lags.isEmpty ? "–" : Format.count(lag), self.known.groupsAt),
        ]
        return "<div class=\"tiles\">\(tiles)</div>"
    }

    private var health: HTML {
        guard !self.known.health.isEmpty else { return "" }
        let isHealthy = !self.known.health.contains { $0.hasPrefix("NOT OK") }
        let isCurrent = Verdict.isCurrent(self.known.healthAt, self.now)
        let rows = self.known.health.prefix(60)
            .compactMap { line -> HTML? in
                let parts = line.split(separator: ": ", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                let good: HTML =
                    isCurrent ? "<span class=\"pill good\">ok</span>" : "<span class=\"pill\">was ok</span>"
                let mark: HTML = parts[0] == "ok" ? good : "<span class=\"pill bad\">not ok</span>"
                return "<li><span>\(mark) \(String(parts[1]))</span></li>"
            }
        let all: HTML =
            !isHealthy
            ? "<span class=\"pill bad\">unhealthy</span>"
            : isCurrent ? "<span class=\"pill good\">healthy</span>" : "<span class=\"pill\">not current</span>"
        return """
            <section class="panel" aria-labelledby="health"><header><h2 id="health">Health</h2>\(self.age(self.known.healthAt))\(all)</header>\
            <div class="body"><ul class="rows">\(rows)</ul></div></section>
            """
    }

    private var groups: HTML {
        let topics = self.known.groups.topics
        guard !topics.isEmpty else { return "" }
        var names: [GroupName] = []
        for one in topics where !names.contains(one.group) { names.append(one.group) }
        let rows = names.map { name -> HTML in
            let own = topics.filter { $0.group == name }
            let behind = own.filter { $0.lag > 0 }
            let caughtUp: HTML =
                self.areGroupsCurrent
                ? "<span class=\"pill good\">caught up</span>" : "<span class=\"pill\">was caught up</span>"
            let text: HTML =
                behind.isEmpty
                ? caughtUp
                : behind.map { one -> HTML in
                    "<span class=\"pill warn\">\(Format.count(one.lag)) of \(self.short(one.topic.text)), \(one.partitionsBehind == 1 ? "1 partition" : "\(one.partitionsBehind) partitions" as HTML)</span>"
                }
                .joined(by: " ")
            return """
                <tr><td class="nowrap"><strong>\(self.short(name.text))</strong></td>\
                <td class="words whole" data-label="Reads">\(own.map { self.short($0.topic.text) }.joined(separator: ", "))</td>\
                <td class="right num" data-label="Lag (records)">\(Format.count(own.reduce(0) { $0 + $1.lag }))</td>\
                <td class="whole" data-label="State">\(text)</td><td class="whole" data-label="Members and their partitions">\(self.members(of: name))</td></tr>
                """
        }
        return """
            <section class="panel" aria-labelledby="groups"><header><h2 id="groups">Groups</h2>\(self.age(self.known.groupsAt))</header>\
            <div class="scroll" tabindex="0" role="group" aria-labelledby="groups"><table class="stack"><thead><tr><th scope="col">Group</th>\
            <th scope="col">Reads</th><th scope="col" class="right">Lag (records)</th><th scope="col">State</th>\
            <th scope="col">Members and their partitions</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div></section>
            """
    }

    /// The most members of a group that are listed.
    private static let maximumMembers = 40

    /// A group's or a topic's name without the deployment's prefix.
    private func short(_ name: String) -> String { String(name.trimmingPrefix(self.prefix + ".")) }

    private func members(of group: GroupName) -> HTML {
        guard let own = self.known.groups.members.first(where: { $0.group == group })?.members else { return "–" }
        if own.isEmpty { return self.known.isNew ? "–" : "<span class=\"pill bad\">no consumers</span>" }
        let names = own.prefix(Self.maximumMembers)
            .map { one -> HTML in
                """
                <span class="nowrap" title="\(one.host)">\(Format.short(one.name, 60)) <span class="soft num">\(one.partitionRanges)</span></span>
                """
            }
        let more: HTML =
            own.count > Self.maximumMembers ? ", \(Format.count(own.count - Self.maximumMembers)) more" : ""
        return "\(Array(names).joined(by: ", "))\(more)"
    }

    private var workers: HTML {
        guard !self.known.workers.isEmpty else { return "" }
        let byWorker = Dictionary(grouping: self.known.workers) { [$0.worker, $0.stage] }
        let rows = byWorker.sorted { ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1]) }.prefix(60)
            .map { key, cells -> HTML in
                let last = cells.map(\.lastAt).max() ?? self.now
                let partitions = cells.map(\.partition).sorted().map(String.init).joined(separator: ", ")
                return """
                    <tr><td>\(Format.short(key[0], 60))</td><td class="nowrap">\(key[1])</td><td class="num">\(partitions)</td>\
                    <td class="right nowrap">\(Format.duration(max(0, self.now - last))) ago</td></tr>
                    """
            }
        return """
            <section class="panel" aria-labelledby="workers"><header><h2 id="workers">Workers</h2>\
            <span class="soft small">last active worker per partition</span></header>\
            <div class="scroll" tabindex="0" role="group" aria-labelledby="workers"><table class="workers"><thead><tr>\
            <th scope="col">Worker</th><th scope="col">Stage</th><th scope="col">Partitions</th>\
            <th scope="col" class="right">Last turn</th></tr></thead><tbody>\(Array(rows))</tbody></table></div></section>
            """
    }
}
