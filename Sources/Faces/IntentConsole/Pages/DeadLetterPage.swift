internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime

/// One dead letter: the error, the interaction that ended with it, the event and its headers.
struct DeadLetterPage {
    let letter: MaskedLetter
    /// The interaction that ended with it, if it is recorded.
    var interaction: RecordedInteraction?
    /// The last interaction as which its request was sent again.
    var redrivenAs: InteractionID?
    /// The secret in our own forms; nil where nothing may be written.
    var formToken: String?

    func page(in frame: Frame) -> HTML {
        let letter = self.letter
        let name = letter.letter.name
        let headers = (letter.whole["headers"]?.array ?? [])
            .map { header -> HTML in
                let value =
                    header["value"]?.string.map { "\(Format.short($0, 400))" as HTML }
                    ?? "<span class=\"soft\">no text</span>"
                return "<dt>\(header["name"]?.string ?? "")</dt><dd class=\"mono\">\(value)</dd>"
            }
        let value: HTML =
            letter.whole["value"].map { "<pre class=\"json\" tabindex=\"0\">\(Format.tree($0))</pre>" }
            ?? "<p class=\"soft\">\(Format.bytes(letter.letter.record.value?.count ?? 0)), masked: the record is not an event and may contain sensitive values.</p>"
        return frame.page(
            "Dead letter \(name)",
            at: .deadLetters,
            crumbs: "<a href=\"/dead-letters\">Dead letters</a>",
            """
            <div class="panel"><dl class="facts">\(self.facts)</dl>\(self.form(name))</div>\
            <section class="panel"><header><h2>Event</h2></header><div class="body">\(value)</div></section>\
            <section class="panel"><header><h2>Headers</h2></header><div class="body"><dl class="pairs">\(headers)</dl></div></section>
            """
        )
    }

    /// Marks it as handled (R84e).
    private func form(_ name: String) -> HTML {
        guard let formToken, self.letter.handled == nil else { return "" }
        return """
            <form class="filters" method="post" action="/dead-letters"><input type="hidden" name="form" value="\(formToken)">\
            <input type="hidden" name="letter-\(name)" value="\(name)">\(Format.operatorFields(reason: "Note of what was done"))\
            <div class="actions"><button name="do" value="handle">Mark as handled</button></div></form>
            """
    }

    private var facts: HTML {
        let brief = RecordedLetter(self.letter.letter, intent: self.interaction?.intent)
        let id = brief.interactionID.map { id -> HTML in
            guard let interaction else { return Format.find(id) }
            return "<a class=\"id\" href=\"\(Format.path(interaction))\">\(Format.short(id.text, 120))</a>"
        }
        let facts: [(name: HTML, value: HTML?)] = [
            ("Failed at, UTC", Format.time(brief.timestamp)),
            ("Error", "<span class=\"pill bad\">\(brief.error ?? "unknown")</span>"),
            ("Detail", self.letter.detail.map { "\(Format.short($0, 2_000))" }),
            ("Intent", brief.intent.map { "\($0)" }), ("Interaction", id), ("User", brief.userID.map { "\($0.text)" }),
            ("Stage", brief.stage.map { "\($0)" }), ("Type", brief.type.map { "\($0)" }),
            ("Origin", brief.origin.map(DeadLettersPage.origin)), ("Redriven as", self.redrivenAs.map(Format.find)),
            ("Handled", self.letter.handled.map { "\(Format.short($0.summary, 2_000))" }),
        ]
        let shown = facts.compactMap { one -> HTML? in
            one.value.map { value -> HTML in "<div><dt>\(one.name)</dt><dd>\(value)</dd></div>" }
        }
        return "\(shown)"
    }
}
