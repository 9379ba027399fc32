internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

/// The dead letters: events that could not be processed, with the reasons.
struct DeadLettersPage {
    /// The number of letters that are shown.
    static let limit = 200

    /// How many letters are sent again at once.
    static let maximumRedrive = 1_000
    /// The fields of the filter.
    private static let fields: [DeadLetterFilter.Field] = [
        .error, .intent, .stage, .user, .interaction, .since, .until, .handled,
    ]

    /// The fields of the address or the form.
    let query: Fields
    var list: DeadLetterList
    /// The names of the existing intents.
    let intents: [String]
    /// The secret in our own forms.
    let formToken: String
    /// Whether a dry run is possible.
    let canAsk: Bool
    /// Whether they can be sent again.
    let canSend: Bool
    /// The result of the last action or dry run.
    var redrive: Redrive?
    /// Whether it was a dry run.
    var isDryRun = true
    /// What was marked as handled just now, with the marks that the letters had before.
    var marked: [(letter: DeadLetter, before: LetterHandling?)]?
    var problem: String?

    /// Reads the filter of an address or a form, and what of it could not be read.
    static func filter(_ query: Fields, now: Timestamp) -> (filter: DeadLetterFilter, problem: String?) {
        var filter = DeadLetterFilter()
        var problem: String?
        for field in Self.fields {
            guard let text = query[field.rawValue] else { continue }
            do throws(OperationError) {
                try filter.set(field, text, now: now)
            } catch {
                problem = error.message
            }
        }
        return (filter, problem)
    }

    func page(in frame: Frame) -> HTML {
        frame.page(
            "Dead letters",
            at: .deadLetters,
            "\(self.notes)<div class=\"panel\">\(self.form)</div>\(self.groups)\(self.letters)"
        )
    }

    /// Whether something is filtered.
    private var isFiltered: Bool { Self.fields.contains { self.query[$0.rawValue] != nil } }

    private var form: HTML {
        """
        <form class="filters" method="get" action="/dead-letters" role="search">\
        <label>Error\(Format.choice("error", self.query["error"], any: "any error", DeadLetterHeaders.errors))</label>\
        <label>Intent\(Format.choice("intent", self.query["intent"], any: "any intent", self.intents))</label>\
        <label>Stage\(Format.choice("stage", self.query["stage"], any: "any stage", DeadLetterFilter.places))</label>\
        <label>User<input name="user" value="\(self.query["user"] ?? "")" maxlength="500"></label>\
        <label>Interaction<input name="interaction" value="\(self.query["interaction"] ?? "")" maxlength="500"></label>\
        <label>Since<input name="since" value="\(self.query["since"] ?? "")" maxlength="40" placeholder="6h, 2026-11-21"></label>\
        <label>Until<input name="until" value="\(self.query["until"] ?? "")" maxlength="40" placeholder="15m"></label>\
        <label>Handled\(Format.choice("handled", self.query["handled"], any: "yes or no", ["no", "yes"]))</label>\
        <div class="actions"><button class="main">Find</button><a class="button" href="/dead-letters">Clear</a></div></form>
        """
    }

    /// The selected letters by error and intent, where there is more than one group.
    private var groups: HTML {
        guard self.list.groups.count > 1 else { return "" }
        let rows = self.list.groups.prefix(20)
            .map { group -> HTML in
                var query = self.query.with("error", group.error)
                if let intent = group.intent { query = query.with("intent", intent) }
                return """
                    <tr><td data-label="Error"><a href="/dead-letters\(query.query)">\(group.error ?? "unknown")</a></td>\
                    <td data-label="Intent">\(group.intent ?? "–")</td>\
                    <td data-label="Count" class="right num">\(Format.count(group.count))</td>\
                    <td data-label="First, UTC">\(Format.time(group.first))</td>\
                    <td data-label="Last, UTC">\(Format.time(group.last))</td></tr>
                    """
            }
        return """
            <section class="panel" aria-labelledby="groups"><header><h2 id="groups">By error and intent</h2></header>\
            <div class="scroll" tabindex="0" role="group" aria-label="Groups"><table class="stack"><thead><tr>\
            <th scope="col">Error</th><th scope="col">Intent</th><th scope="col" class="right">Count</th>\
            <th scope="col">First, UTC</th><th scope="col">Last, UTC</th></tr></thead><tbody>\(Array(rows))</tbody></table></div></section>
            """
    }

    private var notes: HTML {
        if let problem { return "<p class=\"note bad\" role=\"alert\">\(problem)</p>" }
        if let marked {
            let new = marked.count { $0.before == nil }
            let before: HTML =
                new == marked.count ? "" : " Already marked: \(Format.count(marked.count - new))."
            return """
                <p class="note good" role="status">Marked as handled: \(Format.count(new)).\(before)</p>
                """
        }
        guard let redrive, !redrive.steps.isEmpty else { return "" }
        let title: HTML = self.isDryRun ? "Redrive preview" : "Redrive result"
        let rows = redrive.steps.map { letter, step -> HTML in
            let (cssClass, text): (HTML, String) =
                switch step {
                case .send(_, let id):
                    ("good", self.isDryRun ? "would be redriven as \(id)" : "redriven as \(id)")
                case .alreadySent(let id): ("warn", "already redriven as \(id)")
                case .post: ("good", self.isDryRun ? "would be posted to the webhook" : "posted to the webhook")
                case .impossible(let reason): ("warn", "cannot be redriven: \(reason)")
                }
            return "<li><span><code>\(letter.name)</code> <span class=\"pill \(cssClass)\">\(text)</span></span></li>"
        }
        return """
            <section class="panel" role="status"><header><h2>\(title)</h2></header><div class="body">\
            <ul class="rows">\(rows)</ul></div></section>
            """
    }

    private var letters: HTML {
        guard !self.list.items.isEmpty else {
            let text: HTML =
                self.isFiltered
                ? "<p>No dead letters match.</p>"
                : "<p>No dead letters.</p><p class=\"small\">Events that cannot be decoded, or that fail permanently, are kept here with the error.</p>"
            return "<div class=\"panel\"><div class=\"empty\">\(text)</div></div>\(self.reach)"
        }
        let head: HTML = self.canAsk ? "<th scope=\"col\"><span class=\"visually-hidden\">Select</span></th>" : ""
        let filter = Self.fields.compactMap { field -> HTML? in
            self.query[field.rawValue].map { "<input type=\"hidden\" name=\"\(field.rawValue)\" value=\"\($0)\">" }
        }
        return """
            <form method="post" action="/dead-letters"><input type="hidden" name="form" value="\(self.formToken)">\(filter)\
            <div class="panel"><div class="scroll" tabindex="0" role="group" aria-label="Dead letters"><table class="stack">\
            <thead><tr>\(head)<th scope="col">ID</th><th scope="col">Error</th><th scope="col">Intent</th>\
            <th scope="col">Interaction</th><th scope="col">User</th><th scope="col">Stage</th><th scope="col">Origin</th>\
            <th scope="col">Redriven as</th><th scope="col">Failed at, UTC</th></tr></thead>\
            <tbody>\(self.list.items.map(self.row))</tbody></table></div>\(self.actions)</div></form>\(self.reach)
            """
    }

    private func row(_ item: DeadLetterList.Item) -> HTML {
        let letter = item.letter
        let name = letter.name
        let box: HTML =
            self.canAsk
            ? "<td><input type=\"checkbox\" name=\"letter-\(name)\" value=\"\(name)\" aria-label=\"Dead letter \(name)\"></td>"
            : ""
        let detail: HTML =
            item.detail.map { "<div class=\"small soft\">\(Format.short($0, 160))</div>" } ?? ""
        let handled: HTML =
            letter.handled
            .map { mark -> HTML in
                "<div class=\"small\"><span class=\"pill good\">handled</span> \(Format.short(mark.summary, 200))</div>"
            }
            ?? ""
        return """
            <tr>\(box)<td class="id"><a href="/dead-letters/\(name)">\(name)</a></td>\
            <td data-label="Error"><div><span class="pill bad">\(letter.error ?? "unknown")</span>\(detail)\(handled)</div></td>\
            <td data-label="Intent">\(letter.intent ?? letter.type ?? "–")</td>\
            <td data-label="Interaction">\(Self.interaction(letter))</td>\
            <td data-label="User" class="cut">\(letter.userID?.text ?? "–")</td>\
            <td data-label="Stage" class="nowrap">\(letter.stage ?? "–")</td>\
            <td data-label="Origin" class="nowrap">\(letter.origin.map { Self.origin($0) } ?? "–")</td>\
            <td data-label="Redriven as">\(item.redrivenAs.map(Format.find) ?? "–")</td>\
            <td data-label="Failed at, UTC">\(Format.time(letter.timestamp))</td></tr>
            """
    }

    private var actions: HTML {
        guard self.canAsk else { return "" }
        let send: HTML =
            self.canSend
            ? """
            <button class="main" name="do" value="send">Redrive</button>\
            <button name="do" value="handle">Mark as handled</button>
            """ : ""
        let fields: HTML =
            self.canSend
            ? "<div class=\"filters\">\(Format.operatorFields(self.query, reason: "Reason, or note of what was done"))</div>"
            : ""
        let count = min(self.list.unhandled.count, Self.maximumRedrive)
        let all: HTML =
            self.isFiltered ? "all \(Format.count(count)) unhandled that match" : "all \(Format.count(count)) unhandled"
        let hint: HTML =
            self.canSend
            ? """
            A redrive sends the request again as a new interaction. Effects that already happened are not repeated. \
            To mark letters as handled, write a note.
            """ : "To redrive, start the console with --allow-writes."
        return """
            \(fields)<div class="pager"><div class="actions"><label class="check"><input type="checkbox" name="all" value="1"> \
            Select \(all)</label><button name="do" value="ask">Preview redrive</button>\(send)</div>\
            <span class="soft small">\(hint)</span></div>
            """
    }

    /// What is not shown.
    private var reach: HTML {
        var texts: [HTML] = []
        if self.list.names.count > self.list.items.count {
            texts.append(
                "<span>The newest \(self.list.items.count) of \(Format.count(self.list.names.count)) are shown.</span> "
            )
        }
        if self.list.isCutShort {
            texts.append(
                "Only the newest \(Format.count(DeadLetterList.scanLimit)) dead letters are searched; intentd dead-letters list searches all."
            )
        }
        return texts.isEmpty ? "" : "<p class=\"soft small\">\(texts)</p>"
    }

    /// The interaction that ended with it, as a link.
    private static func interaction(_ letter: RecordedLetter) -> HTML {
        guard let id = letter.interactionID else { return "–" }
        guard let request = letter.request.flatMap({ RequestPosition($0.text) }) else { return Format.find(id) }
        return
            "<a class=\"id\" href=\"/interactions/\(request.partition)/\(request.offset)\">\(Format.short(id.text, 60))</a>"
    }

    /// The original position, as a link where the record is one of ours.
    static func origin(_ text: String) -> HTML {
        let parts = text.split(separator: "/")
        guard parts.count == 3, let topic = parts[0].split(separator: ".").last else { return "<code>\(text)</code>" }
        return Format.link(positionIn: "\(topic)/\(parts[1])/\(parts[2])")
    }
}
