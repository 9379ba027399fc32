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
        let state = self.masking.masked(StateThen(at: turn, in: turns), at: turn)
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
            \(Format.link(turn.journal)). \(Format.short(state["known"]?.string ?? "", 300))</p><div class="grid2">\
            \(Self.panel("Before the turn", state["before"]))\(Self.panel("After the turn", state["after"]))</div>\
            \(Self.panel("Entries read by the turn", state["read"]))
            """
        )
    }

    private static func panel(_ title: HTML, _ value: JSONValue?) -> HTML {
        let body: HTML =
            value.flatMap { $0.isNull ? nil : "<pre class=\"json\" tabindex=\"0\">\(Format.tree($0))</pre>" }
            ?? "<p class=\"soft\">None.</p>"
        return "<section class=\"panel\"><header><h2>\(title)</h2></header><div class=\"body\">\(body)</div></section>"
    }
}
