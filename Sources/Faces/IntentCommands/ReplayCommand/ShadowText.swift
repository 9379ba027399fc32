import IntentAudit
import IntentEvents
import IntentKit
import IntentOperations

/// What a shadow run found, as lines for people: by intent and kind, with figures and examples (R44).
struct ShadowText {
    /// The columns of a line, at most, wherever it is written to.
    static let width = 100
    /// The interactions that are named of each group.
    private static let named = 3
    /// The columns of the names of kinds.
    private static let kindWidth = 10

    private let report: ShadowReport
    private let limit: Int

    /// Prepares the lines of a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - limit: The most groups that are shown.
    init(_ report: ShadowReport, limit: Int) {
        self.report = report
        self.limit = limit
    }

    /// The lines, each of so many columns at most.
    func lines(within width: Int) -> [String] {
        let groups = self.report.groups
        let unknowns = self.report.unknowns
        let counts = groups.map(\.count) + unknowns.map(\.interactions.count)
        let layout = Layout(
            width: max(40, width),
            countWidth: max(5, (counts.map { String($0).count }.max() ?? 0) + 1),
            kindWidth: Self.kindWidth
        )
        var lines: [String] = []
        var intent: String?
        for group in groups.prefix(self.limit) {
            if group.intent != intent {
                if intent != nil { lines.append("") }
                intent = group.intent
                let (differing, played) = self.report.counts(of: group.intent)
                let verb = differing == 1 ? "differs" : "differ"
                lines.append(layout.heading(group.intent, "\(differing) of \(played) \(verb)"))
            }
            lines += self.lines(of: group, layout)
        }
        let shown = max(0, self.limit - groups.count)
        if !unknowns.isEmpty, shown > 0, !lines.isEmpty { lines.append("") }
        for unknown in unknowns.prefix(shown) {
            lines += layout.row("unknown", unknown.interactions.count, unknown.reason)
            lines.append(layout.example("", Self.names(unknown.interactions)))
        }
        let hidden = groups.count + unknowns.count - min(self.limit, groups.count) - min(shown, unknowns.count)
        if hidden > 0 { lines.append("… and \(hidden) more (--limit, --json)") }
        return lines
    }

    private func lines(of group: ShadowReport.Group, _ layout: Layout) -> [String] {
        let figures = group.figures.map { Self.text($0, of: group.count) }
        var lines = layout.row(
            group.kind.rawValue,
            group.count,
            [group.path, figures].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "  ")
        )
        guard let example = group.examples.first else { return lines }
        let names = Self.names(example.interactions)
        let values = Self.values(example, of: group.kind, within: layout.room(beside: names))
        lines.append(layout.example(values, names))
        return lines
    }

    private static func names(_ interactions: [InteractionID]) -> String {
        interactions.prefix(Self.named).map { SafeText.line($0.text) }.joined(separator: ", ")
    }

    /// `+4.00 EUR in all`, or with the range where it is not always the same.
    private static func text(_ figures: ShadowReport.Figures, of count: Int) -> String {
        let unit = figures.unit.isEmpty ? "" : " \(figures.unit)"
        let share = figures.count == count ? "all" : "\(figures.count) of \(count)"
        guard figures.least != figures.most else { return "\(figures.most.text)\(unit) in \(share)" }
        return "\(figures.median.text)\(unit) in \(share) (least \(figures.least.text), most \(figures.most.text))"
    }

    // MARK: Values

    /// Both values, as their kind is read best, in so many columns.
    private static func values(
        _ example: ShadowReport.Group.Example,
        of kind: ShadowDifference.Kind,
        within width: Int
    ) -> String {
        if kind == .prompts, let then = example.then, example.now == nil {
            return "no longer asks \(Self.text(then))".cut(to: width)
        }
        if kind == .prompts, let now = example.now, example.then == nil {
            return "also asks \(Self.text(now))".cut(to: width)
        }
        if let then = example.then?.array, let now = example.now?.array {
            let added = now.filter { !then.contains($0) }.map(Self.text)
            let removed = then.filter { !now.contains($0) }.map(Self.text)
            let parts = [("added", added), ("removed", removed)].filter { !$0.1.isEmpty }
                .map { "\($0.0) \($0.1.joined(separator: ", "))" }
            return (parts.isEmpty ? "another order" : parts.joined(separator: "; ")).cut(to: width)
        }
        var then = example.then.map(Self.text) ?? "nothing"
        var now = example.now.map(Self.text) ?? "nothing"
        if kind == .dialog {
            (then, now) = Self.differing(then, now, within: width - 7)
            if example.then != nil { then = "“\(then)”" }
            if example.now != nil { now = "“\(now)”" }
        }
        let arrow = " → "
        let room = width - arrow.count
        let (one, other) = (TextWidth.columns(of: then), TextWidth.columns(of: now))
        if one + other > room {
            // The shorter one stays whole if it takes no more than half.
            let forThen = max(min(one, room / 2), room - other)
            then = then.cut(to: forThen)
            now = now.cut(to: room - forThen)
        }
        return then + arrow + now
    }

    /// A value on one line: amounts, titles and texts as people read them.
    private static func text(_ value: JSONValue) -> String {
        if let text = value.string { return SafeText.line(text) }
        if let amount = INCurrencyAmount(json: value) { return "\(amount.amount) \(amount.currencyCode)" }
        if let title = value["title"]?.string { return SafeText.line(title) }
        return SafeText.line(value.description)
    }

    /// Two sentences; where they are too long, only the words that differ, with two words around them.
    private static func differing(_ then: String, _ now: String, within width: Int) -> (String, String) {
        guard TextWidth.columns(of: then) + TextWidth.columns(of: now) > width else { return (then, now) }
        let old = then.split(separator: " ", omittingEmptySubsequences: false)
        let new = now.split(separator: " ", omittingEmptySubsequences: false)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        func part(_ words: [Substring]) -> String {
            let first = max(0, start - 2)
            let last = min(words.count, words.count - end + 2)
            let middle = words[first..<last].joined(separator: " ")
            return (first > 0 ? "… " : "") + middle + (last < words.count ? " …" : "")
        }
        return (part(old), part(new))
    }
}

/// Where the parts of a line are.
private struct Layout {
    let width: Int
    let countWidth: Int
    let kindWidth: Int

    private var indent: Int { 2 + self.kindWidth + self.countWidth + 2 }

    func heading(_ intent: String, _ counts: String) -> String {
        let name = SafeText.line(intent).cut(to: self.width - counts.count - 2)
        let padding = self.width - TextWidth.columns(of: name) - counts.count
        return name + String(repeating: " ", count: min(padding, max(2, 60 - TextWidth.columns(of: name)))) + counts
    }

    func row(_ kind: String, _ count: Int, _ text: String) -> [String] {
        let number = String(count)
        let gap = max(0, self.kindWidth + self.countWidth - kind.count - number.count)
        let start = "  \(kind)\(String(repeating: " ", count: gap))\(number)"
        guard !text.isEmpty else { return [start] }
        return [start + "  " + SafeText.line(text).cut(to: self.width - self.indent)]
    }

    /// The columns of values beside the names of interactions.
    func room(beside names: String) -> Int {
        self.width - self.indent - min(TextWidth.columns(of: names), self.namesWidth) - 4
    }

    func example(_ values: String, _ names: String) -> String {
        let start = String(repeating: " ", count: self.indent)
        guard !values.isEmpty else { return start + names.cut(to: self.width - self.indent) }
        return start + values + "    " + names.cut(to: self.namesWidth)
    }

    private var namesWidth: Int { (self.width - self.indent) / 2 - 4 }
}

extension String {
    /// The text in so many columns at most: what is too much is left out in the middle.
    fileprivate func cut(to width: Int) -> String {
        guard TextWidth.columns(of: self) > width else { return self }
        let room = max(0, width - 1)
        var head = ""
        var used = 0
        for character in self {
            let columns = TextWidth.columns(of: character)
            guard used + columns <= (room + 1) / 2 else { break }
            head.append(character)
            used += columns
        }
        var tail: [Character] = []
        for character in self.reversed() {
            let columns = TextWidth.columns(of: character)
            guard used + columns <= room else { break }
            tail.append(character)
            used += columns
        }
        return head + "…" + String(tail.reversed())
    }
}
