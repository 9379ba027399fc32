internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRuntime
internal import LocalHTTP

/// The interactions that wait until an operator decides the outcome of their posts (R76).
struct WaitingPage: Sendable {
    /// The secret in our own forms.
    let formToken: String
    /// Whether decisions are allowed here.
    let canDecide: Bool
    let masking: Masking
    /// The interaction about which it was decided just now.
    var decided: String?
    var problem: String?

    /// The page up to the interactions, which take as long to read as the topic `state` is long.
    func beginning(in frame: Frame) -> HTML {
        "\(frame.opening("Waiting", at: .waiting))\(self.notes)"
    }

    private var notes: HTML {
        if let problem { return "<p class=\"note bad\" role=\"alert\">\(problem)</p>" }
        guard let decided else { return "" }
        return """
            <p class="note" role="status">Decided about \(Format.short(decided, 80)). Until the workers have received it, it \
            is still listed.</p>
            """
    }

    /// The rest of the page: the interactions, the oldest first.
    func rest(_ waiting: [WaitingInteraction]) -> HTML {
        guard !waiting.isEmpty else {
            return """
                <div class="panel"><div class="empty"><p>No interaction waits for an operator.</p><p class="small">Those are \
                listed here whose service does not know what became of a post.</p></div></div>\(Frame.closing)
                """
        }
        let hint: HTML =
            self.canDecide ? "" : "<p class=\"soft small\">To decide, start the console with --allow-writes.</p>"
        return "<div class=\"flow\">\(waiting.map(self.panel))</div>\(hint)\(Frame.closing)"
    }

    private func panel(_ waiting: WaitingInteraction) -> HTML {
        let interaction = waiting.interaction
        let parameters = waiting.json(self.masking)["parameters"]?.object ?? [:]
        let find = Fields([("interaction", interaction.id.text)]).query
        let form: HTML = self.canDecide ? self.form(interaction) : ""
        return """
            <section class="panel"><header><h2><a href="/find\(find)">\(Format.short(interaction.id.text, 80))</a></h2>\
            <span class="soft small">\(interaction.intent.name) of \(Format.short(interaction.user.id, 80))</span></header>\
            <div class="body">\(Format.pairs(parameters))<dl class="facts"><div><dt>First tried at, UTC</dt>\
            <dd>\(Format.time(waiting.wait.firstTriedAt))</dd></div><div><dt>Attempts</dt><dd>\(waiting.wait.attempts)</dd>\
            </div><div><dt>Waits until, UTC</dt><dd>\(Format.time(waiting.wait.at))</dd></div></dl>\
            \(form)</div></section>
            """
    }

    private func form(_ interaction: Interaction) -> HTML {
        """
        <form method="post" action="/waiting"><input type="hidden" name="form" value="\(self.formToken)">\
        <input type="hidden" name="interaction" value="\(interaction.id.text)">\
        <input type="hidden" name="user" value="\(interaction.user.id)">\
        <label>What became of it<select name="decision" required><option value=""></option>\
        <option value="done">It was done</option><option value="notDone">It was not done: post it once more</option>\
        <option value="failed">It was not done: give it up</option></select></label>\
        <label>Code<input name="code" maxlength="200" autocomplete="off" placeholder="success or failure"></label>\
        <label>Details for the user<input name="details" maxlength="4000" autocomplete="off" \
        placeholder="a JSON object"></label>\
        <label>Words for the user<input name="dialog" maxlength="1000" autocomplete="off"></label>\
        \(Format.operatorFields())<div class="actions"><button class="main">Decide</button></div></form>
        """
    }
}
