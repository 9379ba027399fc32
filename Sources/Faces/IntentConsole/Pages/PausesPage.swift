internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import LocalHTTP

/// What is paused now, and the forms that pause and resume (R82d, R82e).
struct PausesPage: Sendable {
    /// The fields of the address, or of a form that was refused.
    let form: Fields
    /// The names of the intents that can be paused.
    var intents: [String] = []
    /// The names of the apps that can be paused.
    var apps: [String] = []
    /// The secret in our own forms; nil where nothing may be paused or resumed.
    var formToken: String?
    /// Why nothing was done.
    var problem: String?

    /// The stages that a form selects.
    static func stages(_ form: Fields) -> [Stage] {
        Stage.allCases.filter { stage in form.all.contains { $0.name == "stage" && $0.value == stage.rawValue } }
    }

    /// A pause's place on the page.
    static func path(_ pause: Pause) -> HTML { "/pauses#pause-\(Fields.encoded(pause.id))" }

    /// The page up to the pauses, which take as long to read as the topic `state` is long.
    func beginning(in frame: Frame) -> HTML {
        let log: HTML = "<a class=\"button\" href=\"/operators\">Operators’ log</a>"
        return "\(frame.opening("Pauses", at: .pauses, actions: log))\(self.notes)"
    }

    private var notes: HTML {
        if let problem { return "<p class=\"note bad\" role=\"alert\">Nothing was done: \(problem)</p>" }
        if let target = self.form["pause"] {
            return """
                <p class="note" role="status">The pause of \(Format.short(target, 80)) is written. It is listed here when \
                the stages have read it.</p>
                """
        }
        guard let target = self.form["resume"] else { return "" }
        return """
            <p class="note" role="status">The end of the pause of \(Format.short(target, 80)) is written. The pause is \
            listed here until the stages have read it.</p>
            """
    }

    /// The rest of the page: the pauses as the stages have them, and the form that pauses.
    func rest(_ pauses: [(stage: Stage, pause: Pause)]) -> HTML {
        // A pause that began with one act is one, in however many stages.
        var found: [(pause: Pause, stages: Set<Stage>)] = []
        for (stage, pause) in pauses {
            if let index = found.firstIndex(where: { $0.pause == pause }) {
                found[index].stages.insert(stage)
            } else {
                found.append((pause, [stage]))
            }
        }
        let list: HTML =
            found.isEmpty
            ? "<div class=\"panel\"><div class=\"empty\"><p>Nothing is paused.</p></div></div>"
            : "<div class=\"flow\">\(found.map { self.panel($0.pause, $0.stages.sorted()) })</div>"
        let hint: HTML =
            self.formToken == nil
            ? "<p class=\"soft small\">To pause or resume, start the console with --allow-writes.</p>" : ""
        return "\(list)\(self.pausing)\(hint)\(Frame.closing)"
    }

    private func panel(_ pause: Pause, _ stages: [Stage]) -> HTML {
        let (kind, name): (HTML, HTML) =
            switch pause.target {
            case .intent(let name):
                ("Intent", "<a href=\"/intents/\(Fields.encoded(name))\">\(Format.short(name, 80))</a>")
            case .app(let name): ("App", "\(Format.short(name, 80))")
            }
        return """
            <section class="panel" id="pause-\(pause.id)" aria-label="\(kind) \(pause.target.description)"><header>\
            <h2>\(kind) \(name)</h2></header><dl class="facts">\
            <div><dt>Stages</dt><dd>\(stages.map(\.rawValue).joined(separator: ", "))</dd></div>\
            <div><dt>Since, UTC</dt><dd>\(Format.time(pause.since))</dd></div>\
            <div><dt>Operator</dt><dd>\(Format.short(pause.by, 128))</dd></div>\
            <div><dt>Reason</dt><dd>\(pause.reason.map { Format.short($0, 1_024) } ?? "–")</dd></div></dl>\
            \(self.resuming(pause, stages))</section>
            """
    }

    private func resuming(_ pause: Pause, _ stages: [Stage]) -> HTML? {
        let target = pause.target.description
        let hidden = stages.map { stage -> HTML in
            "<input type=\"hidden\" name=\"stage\" value=\"\(stage.rawValue)\">"
        }
        let isRefused = self.form["do"] == OperatorAct.Kind.resume.rawValue && self.form["target"] == target
        return self.formToken.map { token in
            """
            <form class="filters" method="post" action="/pauses"><input type="hidden" name="form" value="\(token)">\
            <input type="hidden" name="target" value="\(target)">\(hidden)\
            \(Format.operatorFields(isRefused ? self.form : nil, isReasonRequired: true))\
            <div class="actions"><button name="do" value="resume">Resume</button></div></form>
            """
        }
    }

    private var pausing: HTML? {
        let isRefused = self.form["do"] == OperatorAct.Kind.pause.rawValue
        let chosen = isRefused ? Self.stages(self.form) : Stage.allCases
        let boxes = Stage.allCases.map { stage -> HTML in
            let mark: HTML = chosen.contains(stage) ? " checked" : ""
            return """
                <label class="check"><input type="checkbox" name="stage" value="\(stage.rawValue)"\(mark)> \
                \(stage.rawValue)</label>
                """
        }
        return self.formToken.map { token in
            """
            <section class="panel" aria-labelledby="begin"><header><h2 id="begin">Pause an intent or an app</h2>\
            <span class="soft small">Its interactions wait before their handlers are called, until the pause ends. Their \
            users are notified, and nothing fails.</span></header>\
            <form class="filters" method="post" action="/pauses"><input type="hidden" name="form" value="\(token)">\
            <label>Intent or app<select name="target" required><option value=""></option>\
            \(self.options("Intents", self.intents, Pause.Target.intent))\(self.options("Apps", self.apps, Pause.Target.app))\
            </select></label><fieldset class="wide"><legend>Stages</legend>\(boxes)</fieldset>\
            \(Format.operatorFields(isRefused ? self.form : nil, isReasonRequired: true))\
            <div class="actions"><button class="main" name="do" value="pause">Pause</button></div></form></section>
            """
        }
    }

    private func options(_ title: HTML, _ names: [String], _ target: (String) -> Pause.Target) -> HTML {
        let options = names.map { name -> HTML in
            let value = target(name).description
            let mark: HTML = value == self.form["target"] ? " selected" : ""
            return "<option value=\"\(value)\"\(mark)>\(name)</option>"
        }
        return "<optgroup label=\"\(title)\">\(options)</optgroup>"
    }
}
