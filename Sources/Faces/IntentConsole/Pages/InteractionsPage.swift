internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import LocalHTTP

/// The interactions, the newest first: filtered, page by page.
struct InteractionsPage {
    /// The query of the address.
    let query: Fields
    /// The result.
    let found: InteractionPage
    /// The names of the existing intents.
    let intents: [String]
    var problem: String?

    /// Reads the search from an address.
    ///
    /// - Parameters:
    ///   - query: The address's query.
    ///   - now: The time.
    /// - Returns: The search, and the parts of the query that could not be read.
    static func search(_ query: Fields, now: Timestamp) -> (search: InteractionSearch, problem: String?) {
        var search = InteractionSearch()
        var problem: String?
        search.userID = query["user"].map { UserID($0) }
        search.intent = query["intent"]
        search.code = query["code"]
        search.stage = query["stage"]
        search.state = query["state"].flatMap(InteractionSearch.State.init(rawValue:))
        search.text = query["text"].map { String($0.prefix(200)) }
        for (name, bound) in [("since", \InteractionSearch.since), ("until", \InteractionSearch.until)] {
            guard let text = query[name] else { continue }
            if let time = TimeText.read(text, now: now) {
                search[keyPath: bound] = time
            } else {
                problem =
                    "‘\(text)’ is not a time: use 2026-11-21, 2026-11-21T12:30, or a duration ago such as 15m, 6h, 2d."
            }
        }
        if let mark = query["after"]?.split(separator: "."), mark.count == 2, let at = Int64(mark[0]),
            let row = Int64(mark[1])
        {
            search.after = InteractionSearch.Mark(requestedAt: Timestamp(clamping: at), row: row)
        }
        return (search, problem)
    }

    func page(in frame: Frame) -> HTML {
        frame.page(
            "Interactions",
            at: .interactions,
            "\(self.note)<div class=\"panel\">\(self.form)</div><div class=\"panel\">\(self.table)\(self.pager)</div>"
        )
    }

    private var note: HTML {
        self.problem.map { "<p class=\"note warn\" role=\"alert\">\($0)</p>" } ?? ""
    }

    private var form: HTML {
        """
        <form class="filters" method="get" action="/interactions" role="search">\
        <label class="wide">Text<input name="text" type="search" value="\(self.query["text"] ?? "")" maxlength="200" \
        placeholder="in ids, users, codes, parameters" data-search></label>\
        <label>User<input name="user" value="\(self.query["user"] ?? "")" maxlength="500"></label>\
        <label>Intent\(Format.choice("intent", self.query["intent"], any: "any intent", self.intents))</label>\
        <label>Status\(Format.choice("state", self.query["state"], any: "open or ended", InteractionSearch.State.allCases.map(\.rawValue)))</label>\
        <label>Code or end reason<input name="code" value="\(self.query["code"] ?? "")" maxlength="200" placeholder="failed, timeout …"></label>\
        <label>Last stage\(Format.choice("stage", self.query["stage"], any: "any stage", Stage.allCases.map(\.rawValue)))</label>\
        <label>Since<input name="since" value="\(self.query["since"] ?? "")" maxlength="40" placeholder="6h, 2026-11-21"></label>\
        <label>Before<input name="until" value="\(self.query["until"] ?? "")" maxlength="40" placeholder="15m"></label>\
        <div class="actions"><button class="main">Find</button><a class="button" href="/interactions">Clear</a></div></form>
        """
    }

    private var table: HTML {
        guard !self.found.interactions.isEmpty else {
            let text: HTML =
                self.found.isCutShort
                ? "<p>No match among the \(Format.count(InteractionSearch().scanLimit)) interactions that were searched. Search further back below.</p>"
                : self.query.all.isEmpty
                    ? "<p>No interactions yet.</p><p><code>intentd ask BookRestaurantTable</code> starts a first conversation.</p>"
                    : "<p>No interactions match.</p>"
            return "<div class=\"empty\">\(text)</div>"
        }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Interactions"><table class="stack"><thead><tr>\
            <th scope="col">Interaction</th><th scope="col">Intent</th><th scope="col">User</th><th scope="col">Status</th>\
            <th scope="col">Requested, UTC</th><th scope="col" class="right">Duration</th><th scope="col" class="right">Prompts</th>\
            <th scope="col" class="right">Turns</th></tr></thead><tbody>\(self.found.interactions.map(Self.row))</tbody></table></div>
            """
    }

    private static func row(_ one: RecordedInteraction) -> HTML {
        let id = one.interactionID?.text ?? one.request.text
        let user = one.userID?.text ?? ""
        return """
            <tr><td class="id"><a href="\(Format.path(one))" title="\(id)">\(Format.short(id, 80))</a></td>\
            <td class="cut" data-label="Intent">\(one.intent ?? "–")</td>\
            <td class="cut" data-label="User"><a href="/interactions\(Fields([("user", user)]).query)">\(Format.short(user, 80))</a></td>\
            <td data-label="Status">\(Format.pill(one))</td>\
            <td data-label="Requested, UTC">\(one.requestedAt.map(Format.time) ?? "–")</td>\
            <td class="right num nowrap" data-label="Duration">\(Format.duration(one.duration))</td>\
            <td class="right num" data-label="Prompts">\(one.prompts)</td>\
            <td class="right num" data-label="Turns">\(one.turns)</td></tr>
            """
    }

    private var pager: HTML {
        let isFirst = self.query["after"] == nil
        let newest: HTML =
            isFirst ? "" : "<a class=\"button\" href=\"/interactions\(self.query.with("after", nil).query)\">Newest</a>"
        guard let next = self.found.next else {
            return isFirst
                ? "" : "<div class=\"pager\">\(newest)<span class=\"soft small\">End of the list.</span></div>"
        }
        let query = self.query.with("after", "\(next.requestedAt.milliseconds).\(next.row)").query
        let text: HTML = self.found.isCutShort ? "Search further back" : "Older"
        let searchedBack: HTML =
            self.found.isCutShort
            ? "<span class=\"soft small\">Searched back to \(Format.time(next.requestedAt)) UTC</span>"
            : "<span></span>"
        return
            "<div class=\"pager\">\(newest)\(searchedBack)<a class=\"button\" rel=\"next\" href=\"/interactions\(query)\">\(text)</a></div>"
    }
}
