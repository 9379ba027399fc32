internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations

/// An interaction's turns; each one can be opened to show what it read, wrote and decided.
struct TurnList {
    /// The verdicts of a replay that has just run, by the turns' positions on `journal`.
    var verdicts: [RecordPosition: TurnVerdict] = [:]
    /// Whether a replay was run.
    var isReplayed = false
    /// The page of the interaction.
    let path: HTML
    let masking: Masking

    func html(_ turns: [TurnAccount]) -> HTML {
        guard !turns.isEmpty else { return "<div class=\"empty\"><p>No turns recorded.</p></div>" }
        return "<div class=\"turns\">\(turns.map { self.item($0, StateThen(at: $0, in: turns)) })</div>"
    }

    private func item(_ turn: TurnAccount, _ state: StateThen) -> HTML {
        let record = turn.record
        let json = self.masking.masked(turn)
        let verdict = self.verdict(turn)
        let unsound: HTML =
            turn.isEventSound == false
            ? "<p class=\"note bad\">The event was altered: its bytes differ from those that this turn processed.</p>"
            : ""
        let crash: HTML = record.crash == nil ? "" : "<span class=\"pill bad\">crash</span>"
        let tried: HTML = record.attempt > 1 ? "<span class=\"tag\">attempt \(record.attempt)</span>" : ""
        let warned: HTML =
            record.mistakes.isEmpty ? "" : "<span class=\"pill warn\">\(Self.warnings(record.mistakes.count))</span>"
        let ended = record.until ?? record.at
        let ran: HTML = ended > record.at ? "ran \(Format.duration(ended - record.at)), " : ""
        let committed = Format.duration(max(0, turn.writtenAt - ended))
        let took: HTML = "<span class=\"soft small num\">\(ran)committed \(committed) later</span>"
        return """
            <details id="turn-\(turn.number)"><summary><span class="dot \(TurnLanes.cssClass(record.stage))">\(turn.number)</span>\
            <strong>\(record.stage.rawValue)</strong><span>\(record.outcome.rawValue)</span>\(tried)\(crash)\(warned)\(verdict.mark)\
            <span class="soft small">\(Format.clock(record.at))</span>\(took)</summary><div class="inside">\(unsound)\
            \(verdict.text)\
            <dl class="pairs"><dt>Event</dt><dd>\(Format.link(record.position)) \(record.eventType)</dd>\
            <dt>Journal</dt><dd>\(Format.link(turn.journal))</dd>\
            <dt>Worker</dt><dd>\(record.worker)</dd>\(Self.handler(record))\
            <dt>Event digest</dt><dd><code>\(record.eventDigest)</code></dd>\
            <dt>Previous turn</dt><dd><code>\(record.previousDigest.isEmpty ? "none: start of the chain" : record.previousDigest)</code></dd></dl>\
            \(Self.mistakes(record))\(self.said(json))\(Self.reads(json))\(Self.outputs(json))\(self.changed(state))\
            <p><a href="\(self.path)/turns/\(turn.number)">State at this turn</a></p></div></details>
            """
    }

    /// The members of the interaction's state that the turn has changed.
    private func changed(_ state: StateThen) -> HTML {
        let changes = StateWords.changes(state, self.masking)
        guard !changes.isEmpty, state.interactionAfter != nil else { return "" }
        let rows = changes.prefix(40)
            .map { change -> HTML in
                let after: HTML = change.after.map { "<code>\(Format.short($0.description, 200))</code>" } ?? "removed"
                return "<li><span class=\"mono\">\(change.path.joined(separator: "."))</span>\(after)</li>"
            }
        return "<div class=\"rows\"><h3>State changed</h3><ul class=\"rows\">\(Array(rows))</ul></div>"
    }

    private func said(_ json: JSONValue) -> HTML {
        guard let data = json["data"], !data.isNull else { return "" }
        return
            "<details><summary class=\"small soft\">Event payload</summary><pre class=\"json\" tabindex=\"0\">\(Format.tree(data, limit: 6_000))</pre></details>"
    }

    private static func warnings(_ count: Int) -> String { count == 1 ? "1 warning" : "\(count) warnings" }

    /// What the client of the turn's event probably did not mean (R79).
    private static func mistakes(_ record: TurnRecord) -> HTML {
        guard !record.mistakes.isEmpty else { return "" }
        let rows = record.mistakes.map { mistake -> HTML in
            "<li><span><span class=\"tag\">\(mistake.problem.rawValue)</span> \(mistake.detail(intent: record.intentName))</span></li>"
        }
        return "<div class=\"rows\"><h3>Warnings</h3><ul class=\"rows\">\(rows)</ul></div>"
    }

    private static func handler(_ record: TurnRecord) -> HTML {
        record.handlerName.map { "<dt>Handler</dt><dd>\($0), version \(record.handlerVersion ?? "?")</dd>" } ?? ""
    }

    private static func reads(_ json: JSONValue) -> HTML {
        let reads = json["reads"]?.array ?? []
        guard !reads.isEmpty else { return "" }
        let rows = reads.prefix(100)
            .map { read -> HTML in
                let error: HTML =
                    read["error"].map { "<span class=\"pill bad\">failed</span> \($0["message"]?.string ?? "")" } ?? ""
                let value: HTML = read["value"].map { "<code>\(Format.short($0.description, 400))</code>" } ?? ""
                return
                    "<li><span><span class=\"tag\">\(read["kind"]?.string ?? "read")</span> <strong>\(read["name"]?.string ?? "")</strong></span>\(error)\(value)</li>"
            }
        return "<div class=\"rows\"><h3>Reads and effects</h3><ul class=\"rows\">\(Array(rows))</ul></div>"
    }

    private static func outputs(_ json: JSONValue) -> HTML {
        let outputs = json["outputs"]?.array ?? []
        guard !outputs.isEmpty else { return "" }
        let rows = outputs.prefix(100)
            .map { output -> HTML in
                let digest = output["digest"]?.string ?? ""
                let link: HTML =
                    output["position"]?.string.map { Format.link(positionIn: $0) }
                    ?? "<code>\(output["target"]?.string ?? "?")</code>"
                let text: HTML = digest.isEmpty ? "removed" : "<code class=\"soft\">\(digest)</code>"
                return
                    "<li><span>\(link) \(output["type"]?.string ?? "")</span><span class=\"small\">\(text)</span></li>"
            }
        return "<div class=\"rows\"><h3>Outputs</h3><ul class=\"rows\">\(Array(rows))</ul></div>"
    }

    private func verdict(_ turn: TurnAccount) -> (mark: HTML, text: HTML) {
        guard self.isReplayed else { return ("", "") }
        guard let verdict = self.verdicts[turn.journal] else { return ("<span class=\"pill good\">Matched</span>", "") }
        let cssClass: HTML = verdict.outcome == .incomparable ? "warn" : "bad"
        var text: HTML = "<p>\(verdict.advice)</p>"
        if let difference = verdict.difference {
            let then = difference.then.map { self.masking.masked($0, at: difference.path).description } ?? "nothing"
            let now = difference.now.map { self.masking.masked($0, at: difference.path).description } ?? "nothing"
            text = """
                <dl class="pairs"><dt>At</dt><dd><code>\(difference.path)</code></dd><dt>Then</dt><dd>\
                <code>\(Format.short(then, 400))</code></dd><dt>Now</dt><dd><code>\(Format.short(now, 400))</code></dd></dl>\(text)
                """
        }
        return (
            "<span class=\"pill \(cssClass)\">\(verdict.outcome.rawValue)</span>",
            "<div class=\"note bad\">\(text)</div>"
        )
    }
}
