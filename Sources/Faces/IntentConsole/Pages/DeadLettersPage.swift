internal import IntentEvents
internal import IntentKit
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

/// The dead letters: events that could not be processed, with the reasons.
struct DeadLettersPage {
    /// The number of letters that are shown.
    static let limit = 200

    /// The letters, the newest first.
    let letters: [RecordedLetter]
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
    var problem: String?

    func page(in frame: Frame) -> HTML {
        frame.page("Dead letters", at: .deadLetters, "\(self.notes)\(self.list)")
    }

    private var notes: HTML {
        if let problem { return "<p class=\"note bad\" role=\"alert\">\(problem)</p>" }
        guard let redrive, !redrive.steps.isEmpty else { return "" }
        let title: HTML = self.isDryRun ? "Redrive preview" : "Redrive result"
        let rows = redrive.steps.map { letter, step -> HTML in
            let (cssClass, text): (HTML, String) =
                switch step {
                case .send(_, let id):
                    ("good", self.isDryRun ? "would be redriven as \(id)" : "redriven as \(id)")
                case .alreadySent(let id): ("warn", "already redriven as \(id)")
                case .impossible(let reason): ("warn", "cannot be redriven: \(reason)")
                }
            return "<li><span><code>\(letter.name)</code> <span class=\"pill \(cssClass)\">\(text)</span></span></li>"
        }
        return """
            <section class="panel" role="status"><header><h2>\(title)</h2></header><div class="body">\
            <ul class="rows">\(rows)</ul></div></section>
            """
    }

    private var list: HTML {
        guard !self.letters.isEmpty else {
            return """
                <div class="panel"><div class="empty"><p>No dead letters.</p><p class="small">Events that cannot be \
                decoded, or that fail permanently, are kept here with the error.</p></div></div>
                """
        }
        let rows = self.letters.map { letter -> HTML in
            let name = "\(letter.position.partition)/\(letter.position.offset)"
            let box: HTML =
                self.canAsk
                ? "<td><input type=\"checkbox\" name=\"letter-\(name)\" value=\"\(name)\" aria-label=\"Dead letter \(name)\"></td>"
                : ""
            return """
                <tr>\(box)<td class="id"><a href="/dead-letters/\(name)">\(name)</a></td>\
                <td data-label="Error"><span class="pill bad">\(letter.error ?? "unknown")</span></td>\
                <td data-label="Type">\(letter.type ?? "–")</td><td data-label="User">\(letter.userID?.text ?? "–")</td>\
                <td data-label="Origin">\(letter.origin.map { Self.origin($0) } ?? "–")</td>\
                <td data-label="Redriven as">\(Self.again(letter))</td>\
                <td data-label="Size" class="right num nowrap">\(Format.bytes(letter.size))</td>\
                <td data-label="Failed at, UTC">\(Format.time(letter.timestamp))</td></tr>
                """
        }
        let head: HTML = self.canAsk ? "<th scope=\"col\"><span class=\"visually-hidden\">Select</span></th>" : ""
        let send: HTML = self.canSend ? "<button class=\"main\" name=\"do\" value=\"send\">Redrive</button>" : ""
        let actions: HTML =
            self.canAsk
            ? """
            <div class="pager"><div class="actions"><button name="do" value="ask">Preview redrive</button>\(send)</div>\
            <span class="soft small">\(self.canSend ? "A redrive sends the request again as a new interaction. Effects that already happened are not repeated." : "To redrive, start the console with --allow-writes.")</span></div>
            """ : ""
        let more: HTML =
            self.letters.count >= Self.limit
            ? "<p class=\"soft small\">The newest \(Self.limit) are shown; intentd dead-letters list shows all.</p>"
            : ""
        return """
            <form method="post" action="/dead-letters"><input type="hidden" name="form" value="\(self.formToken)">\
            <div class="panel"><div class="scroll" tabindex="0" role="group" aria-label="Dead letters"><table class="stack">\
            <thead><tr>\(head)<th scope="col">ID</th><th scope="col">Error</th><th scope="col">Type</th>\
            <th scope="col">User</th><th scope="col">Origin</th><th scope="col">Redriven as</th>\
            <th scope="col" class="right">Size</th>\
            <th scope="col">Failed at, UTC</th></tr></thead><tbody>\(rows)</tbody></table></div>\(actions)</div></form>\(more)
            """
    }

    /// The interaction as which it was sent again, as a link.
    private static func again(_ letter: RecordedLetter) -> HTML {
        letter.again.map { id -> HTML in
            "<a class=\"id\" href=\"/find\(Fields([("interaction", id.text)]).query)\">\(Format.short(id.text, 60))</a>"
        } ?? "–"
    }

    /// The original position, as a link where the record is one of ours.
    private static func origin(_ text: String) -> HTML {
        let parts = text.split(separator: "/")
        guard parts.count == 3, let topic = parts[0].split(separator: ".").last else { return "<code>\(text)</code>" }
        return Format.link(positionIn: "\(topic)/\(parts[1])/\(parts[2])")
    }

    static func page(of letter: JSONValue, name: String, in frame: Frame) -> HTML {
        let members = letter.object ?? [:]
        let facts = ["at", "error", "detail", "type", "user", "interaction", "intent", "from"]
            .compactMap { name -> HTML? in
                members[name]?.string.map { "<div><dt>\(name)</dt><dd>\(Format.short($0, 2_000))</dd></div>" }
            }
        let headers = (members["headers"]?.array ?? [])
            .map { header -> HTML in
                let value =
                    header["value"]?.string.map { "\(Format.short($0, 400))" as HTML }
                    ?? "<span class=\"soft\">no text</span>"
                return "<dt>\(header["name"]?.string ?? "")</dt><dd class=\"mono\">\(value)</dd>"
            }
        let value: HTML =
            members["value"].map { "<pre class=\"json\" tabindex=\"0\">\(Format.tree($0))</pre>" }
            ?? "<p class=\"soft\">\(Format.bytes(Int(members["size"]?.integer ?? 0))), masked: the record is not an event and may contain sensitive values.</p>"
        return frame.page(
            "Dead letter \(name)",
            at: .deadLetters,
            crumbs: "<a href=\"/dead-letters\">Dead letters</a>",
            """
            <div class="panel"><dl class="facts">\(facts)</dl></div>\
            <section class="panel"><header><h2>Event</h2></header><div class="body">\(value)</div></section>\
            <section class="panel"><header><h2>Headers</h2></header><div class="body"><dl class="pairs">\(headers)</dl></div></section>
            """
        )
    }
}
