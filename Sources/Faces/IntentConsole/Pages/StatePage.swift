internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords

/// The state at a turn.
struct StatePage {
    /// The recorded story of the interaction.
    let story: InteractionStory
    /// The turn's number, from 1.
    let number: Int
    let masking: Masking

    /// The page; nil when the turn does not exist.
    func page(in frame: Frame) -> HTML? {
        let turns = TurnAccount.all(of: self.story)
        guard let turn = turns.first(where: { $0.number == self.number }) else { return nil }
        let found = StateThen(at: turn, in: turns)
        let state = self.masking.masked(found, at: turn)
        let path = Format.path(self.story.interaction)
        let before: HTML =
            self.number > 1 ? "<a class=\"button\" href=\"\(path)/turns/\(self.number - 1)\">Previous turn</a>" : ""
        let after: HTML =
            self.number < turns.count
            ? "<a class=\"button\" href=\"\(path)/turns/\(self.number + 1)\">Next turn</a>" : ""
        return frame.page(
            "State at turn \(self.number)",
            at: .interactions,
            crumbs: """
                <a href="/interactions">Interactions</a> / <a href="\(path)">\
                \(Format.short(self.story.interaction.interactionID?.text ?? "interaction", 80))</a>
                """,
            actions: "<div class=\"actions\">\(before)\(after)</div>",
            """
            <p class="soft">\(turn.record.stage.rawValue), \(turn.record.outcome.rawValue), \(Format.clock(turn.record.at)) UTC, \
            \(Format.link(turn.journal)). \(Format.short(state["known"]?.string ?? "", 300))</p>\(Self.changes(StateWords.changes(found, self.masking)))<div class="grid2">\
            \(Self.panel("Before the turn", state["before"]))\(Self.panel("After the turn", state["after"]))</div>\
            \(Self.panel("Entries read by the turn", state["read"]))
            """
        )
    }

    /// What the turn has changed of the interaction's state.
    private static func changes(_ changes: [StateChange]) -> HTML {
        let rows = changes.map { change -> HTML in
            """
            <tr><td class="mono" data-label="Member">\(change.path.joined(separator: "."))</td>\
            <td data-label="Before"><code>\(Self.text(change.before))</code></td>\
            <td data-label="After"><code>\(Self.text(change.after))</code></td></tr>
            """
        }
        let body: HTML =
            rows.isEmpty
            ? "<div class=\"body\"><p class=\"soft\">Nothing.</p></div>"
            : """
            <div class="scroll" tabindex="0" role="group" aria-label="Changes"><table class="stack"><thead><tr>\
            <th scope="col">Member</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
        return "<section class=\"panel\"><header><h2>Changed by the turn</h2></header>\(body)</section>"
    }

    private static func text(_ value: JSONValue?) -> String { value.map { Format.short($0.description, 400) } ?? "–" }

    private static func panel(_ title: HTML, _ value: JSONValue?) -> HTML {
        let body: HTML =
            value.flatMap {
                $0.isNull ? nil : "<pre class=\"json\" tabindex=\"0\">\(Format.tree(StateWords.readable($0)))</pre>"
            }
            ?? "<p class=\"soft\">None.</p>"
        return "<section class=\"panel\"><header><h2>\(title)</h2></header><div class=\"body\">\(body)</div></section>"
    }
}
