internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import LocalHTTP
internal import Telemetry

/// One interaction: the conversation as people saw it, and its turns.
struct OneInteractionPage {
    let story: InteractionStory
    let masking: Masking
    /// The prefix of the topics.
    var prefix = ""
    /// The secret in our own forms.
    let formToken: String
    let canReplay: Bool
    /// Whether the console knows users' vocabularies.
    var hasVocabularies = false
    /// Where the operator's tracing tool shows a trace; nil where none is known.
    var traces: TraceLink?
    /// The result of a replay that has just run.
    var report: ReplayReport?
    /// The reason why a replay could not be run.
    var problem: String?
    /// The possible replies, in words; nil when no reply is expected or allowed.
    var hint: String?
    /// Whether replies are allowed, but there is no gateway to send them to.
    var needsGateway = false
    /// Why a reply was not sent.
    var unsent: String?
    /// What was typed, and the id of the reply, which a form that is sent twice has twice.
    var reply = Fields()
    /// The address of its live events, while it is open.
    var live: HTML?
    /// Where its time went.
    var times: InteractionTimes?
    /// Whether operators may act on it here.
    var canAct = false
    /// What an operator did just now: `cancel` or `retry`.
    var acted: String?
    /// Why an act was refused.
    var refusal: String?

    private var interaction: RecordedInteraction { self.story.interaction }

    func page(in frame: Frame) -> HTML {
        let id = self.interaction.interactionID?.text ?? self.interaction.request.text
        let state: HTML =
            self.live == nil
            ? ""
            : "<span class=\"soft small\"><span data-live-state role=\"status\"></span><span data-live-age></span></span>"
        let follow: HTML = self.live.map { " data-live=\"\($0)\"" } ?? ""
        return frame.page(
            "\(self.interaction.intent ?? "Interaction")",
            at: .interactions,
            crumbs: "<a href=\"/interactions\">Interactions</a> / <span class=\"mono\">\(Format.short(id, 120))</span>",
            actions: "\(state)\(Format.pill(self.interaction, self.times))",
            "\(self.notes)<div\(follow) class=\"flow\">\(self.body)</div>\(self.composer)\(self.acting)"
        )
    }

    /// The part that changes while the interaction continues.
    var body: HTML {
        let turns = TurnAccount.all(of: self.story)
        var list = TurnList(path: Format.path(self.interaction), masking: self.masking)
        if let report {
            list.isReplayed = true
            for verdict in report.verdicts { if let journal = verdict.journal { list.verdicts[journal] = verdict } }
        }
        let failure = InteractionFailure(self.story, turns, prefix: self.prefix, self.masking)
        let conversation = Conversation(self.story, turns, failure: failure?.summary, masking: self.masking)
        return """
            \(failure.map(FailurePanel.html))\(self.paused)\(ChainDrawing(self.story).html)<div class="panel">\(self.facts)</div><div class="two">\
            <section class="panel" aria-labelledby="said"><header><h2 id="said">Conversation</h2></header>\(conversation.html)</section>\
            <section class="panel" aria-labelledby="did"><header><h2 id="did">Turns</h2>\(self.replay)</header>\
            <div class="body">\(TurnLanes.drawing(turns, self.times))</div>\(list.html(turns))</section></div>\(self.acts)
            """
    }

    /// The pause that holds it (R82d).
    var pause: Pause? {
        guard self.interaction.endedAt == nil, self.times?.state == .paused else { return nil }
        return self.story.turns.last { $0.record.held != nil }?.record.held
    }

    private var paused: HTML? {
        guard let pause, let stage = self.times?.stage else { return nil }
        let reason: HTML = pause.reason.map { ": \(Format.short($0, 1_024))" } ?? ""
        return """
            <p class="note warn">Waits in \(stage.rawValue): <a href="\(PausesPage.path(pause))">\
            \(Format.short(pause.target.description, 120)) is paused</a> since \(Format.time(pause.since)) UTC by \
            \(Format.short(pause.by, 128))\(reason)</p>
            """
    }

    /// Whether an attempt is waited for, which can begin at once.
    var canRetry: Bool { self.interaction.endedAt == nil && self.times?.state == .retrying }

    /// The form with which operators act on it (R82).
    private var acting: HTML {
        guard self.canAct, self.interaction.endedAt == nil else { return "" }
        let retry: HTML = self.canRetry ? "<button name=\"do\" value=\"retry\">Retry now</button>" : ""
        return """
            <section class="panel" aria-labelledby="act"><header><h2 id="act">Act as an operator</h2></header>\
            <form class="filters" method="post" action="\(Format.path(self.interaction))/act">\
            <input type="hidden" name="form" value="\(self.formToken)">\(Format.operatorFields(isReasonRequired: true))\
            <div class="actions">\(retry)<button name="do" value="cancel">Cancel the interaction</button></div></form></section>
            """
    }

    /// What operators did with it (R93).
    private var acts: HTML {
        guard !self.story.acts.isEmpty else { return "" }
        return """
            <section class="panel" aria-labelledby="acts"><header><h2 id="acts">Operators</h2></header>\
            \(OperatorsPage.table(self.story.acts, label: "acts"))</section>
            """
    }

    private var facts: HTML {
        let user = self.interaction.userID?.text ?? ""
        let request = self.story.events.first { $0.position == self.interaction.position }?.event
        let trace = (request?.passedThrough).flatMap(TraceContext.init(headers:))
            .map { one -> HTML in
                let link = self.traces.map { traces -> HTML in
                    "<a href=\"\(traces.address(of: one))\" rel=\"noreferrer\">\(one.trace.text)</a>"
                }
                return "<div><dt>Trace</dt><dd class=\"mono\">\(link ?? "\(one.trace.text)")</dd></div>"
            }
        let vocabulary: HTML =
            self.hasVocabularies && !user.isEmpty
            ? " <a class=\"soft small\" href=\"/vocabulary\(Fields([("user", user)]).query)\">vocabulary</a>" : ""
        let device = request?.data["device"]?["id"]?.string
            .map { one -> HTML in "<div><dt>Device</dt><dd>\(one)</dd></div>" }
        return """
            <dl class="facts"><div><dt>User</dt><dd><a href="/interactions\(Fields([("user", user)]).query)" \
            title="This user's interactions">\(user)</a>\(vocabulary)</dd></div>\
            <div><dt>Requested, UTC</dt><dd>\(self.interaction.requestedAt.map(Format.time) ?? "–")</dd></div>\
            <div><dt>Duration</dt><dd class="num">\(Format.duration(self.interaction.duration))</dd></div>\
            \(self.time)<div><dt>Code</dt><dd>\(self.interaction.code ?? "–")</dd></div>\
            <div><dt>End reason</dt><dd>\(self.interaction.endReason ?? "–")</dd></div>\
            <div><dt>Last stage</dt><dd>\(self.interaction.phase ?? "–")</dd></div>\
            \(device)\(trace)\(self.redriven)<div><dt>Request</dt><dd>\(Format.link(self.interaction.position))</dd></div></dl>
            """
    }

    /// The parts of its time, which add up to the duration.
    private var time: HTML? {
        guard let times, !times.spans.isEmpty else { return nil }
        let parts = InteractionState.allCases.filter { times.milliseconds($0) > 0 }
            .map { state -> HTML in "\(Format.words(state)) \(Format.duration(times.milliseconds(state)))" }
        let all = parts.dropFirst().reduce(into: parts[0]) { $0 += " · \($1)" }
        return "<div><dt>Time</dt><dd>\(all)</dd></div>"
    }

    /// The dead letter from which its request was sent again, as its first turn has proved (R48).
    private var redriven: HTML? {
        guard self.story.turns.contains(where: { $0.record.isRedriven == true }),
            let cause = self.story.events.first(where: { $0.position == self.interaction.position })?.causationID,
            let position = RecordPosition(cause), position.topic == .deadLetters
        else { return nil }
        let name = DeadLetterName(position).text
        return "<div><dt>Redriven from</dt><dd><a href=\"/dead-letters/\(name)\">dead letter \(name)</a></dd></div>"
    }

    private var replay: HTML {
        guard self.canReplay else { return "" }
        return """
            <form method="post" action="\(Format.path(self.interaction))/replay">\
            <input type="hidden" name="form" value="\(self.formToken)"><button>Replay now</button></form>
            """
    }

    private var notes: HTML {
        var notes: HTML = ""
        if let problem { notes += "<p class=\"note bad\" role=\"alert\">The replay failed: \(problem)</p>" }
        if let refusal { notes += "<p class=\"note bad\" role=\"alert\">Nothing was done: \(refusal)</p>" }
        if let acted {
            let text: HTML =
                acted == "retry"
                ? "Retry requested. The next attempt begins when the stage has processed the request."
                : "Cancellation requested. This page shows the result when the stage has processed it."
            notes += "<p class=\"note\" role=\"status\">\(text)</p>"
        }
        if let unsent { notes += "<p class=\"note warn\" role=\"alert\">\(unsent)</p>" }
        if let report {
            let text: HTML =
                report.turns == 0
                ? "<p class=\"note warn\" role=\"status\">The journal no longer holds these turns: nothing was proved.</p>"
                : report.isMatched
                    ? "<p class=\"note good\" role=\"status\">All \(report.turns) turns reproduced identically.</p>"
                    : "<p class=\"note bad\" role=\"status\">Replay result: \(report.summary). The turns below show the differences.</p>"
            notes += text
        }
        return notes
    }

    private var composer: HTML {
        guard let hint else { return self.needsGateway ? "<p class=\"note\">\(TalkPage.needsGateway)</p>" : "" }
        let prompt = self.story.events.last { $0.position.topic == .responses }?.json ?? .null
        let kind = prompt["kind"]?.string
        var buttons: [(value: String, text: HTML)] = []
        switch kind {
        case "unlockRequired": buttons = [("unlock", "Unlock the device")]
        case "authenticationRequired": buttons = [("sign in", "Sign in")]
        case "intentConfirmation", "confirmationRequired": buttons = [("yes", "Yes"), ("no", "No")]
        default:
            let options = Conversation.options(of: self.masking.masked(prompt))
            buttons = options.prefix(12).enumerated().map { ("\($0 + 1)", "\(Format.short($1, 60))") }
        }
        buttons.append(("cancel", "Cancel"))
        let shown = buttons.map { one -> HTML in
            "<button name=\"line\" value=\"\(one.value)\" formnovalidate>\(one.text)</button>"
        }
        let name = prompt["parameter"]?.string
        let isSecret = name.map { self.masking.contains($0, of: self.interaction.intent) } ?? false
        let type: HTML = isSecret ? "password" : "text"
        return """
            <section class="panel" aria-labelledby="say"><header><h2 id="say">Answer</h2>\
            <span class="soft small">\(hint)</span></header>\
            <form class="composer" method="post" action="\(Format.path(self.interaction))/say">\
            <input type="hidden" name="form" value="\(self.formToken)">\
            <input type="hidden" name="id" value="\(self.reply["id"] ?? "")">\
            <div class="line"><input type="\(type)" name="typed" value="\(self.reply["typed"] ?? "")" \
            aria-label="Your answer" autocomplete="off" maxlength="4000" data-say>\
            <button class="main">Send</button></div><div class="actions">\(shown)</div>\
            <label>Device<input name="device" value="\(self.reply["device"] ?? "console")" maxlength="200"></label></form></section>
            """
    }
}
