internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import LocalHTTP

/// The interactions, the newest first: filtered, page by page.
struct InteractionsPage {
    /// The query of the address.
    let query: Fields
    /// The result; nil for a query that could not be read.
    let found: InteractionPage?
    /// The names of the existing intents.
    let intents: [String]
    /// The searchable parameters of the chosen intent, or of all.
    var searchable: [String] = []
    /// The chosen columns; nil for those of the page.
    var columns: [InteractionColumn]?
    /// Where the open ones are, by their requests.
    var progress: [RequestID: InteractionTimes] = [:]
    var masking = Masking.everything
    /// The queries that operators have saved.
    var saved: [(name: String, query: InteractionQuery)] = []
    /// The secret in our own forms; nil where nothing may be saved.
    var formToken: String?
    var problem: String?

    /// Reads a query from an address or a form, where parameters have the names `p-…`.
    static func query(_ fields: Fields) -> InteractionQuery {
        var query = InteractionQuery()
        for field in InteractionQuery.Field.allCases { query[field] = fields[field.rawValue] }
        for field in fields.all where field.name.hasPrefix(Self.parameterPrefix) {
            query.require(field.value, of: String(field.name.dropFirst(Self.parameterPrefix.count)))
        }
        return query
    }

    private static let parameterPrefix = "p-"

    /// The address of a query.
    private static func path(_ query: InteractionQuery) -> HTML {
        let fields = InteractionQuery.Field.allCases.map { ($0.rawValue, query[$0]) }
        let parameters = query.parameters.sorted { $0.key < $1.key }.map { (Self.parameterPrefix + $0.key, $0.value) }
        return "/interactions\(Fields(fields + parameters.map { ($0.0, Optional($0.1)) }).query)"
    }

    /// Where the page that an address asks for begins; nil for the newest.
    static func mark(_ fields: Fields) -> InteractionSearch.Mark? {
        guard let mark = fields["after"]?.split(separator: "."), mark.count == 2, let at = Int64(mark[0]),
            let row = Int64(mark[1])
        else { return nil }
        return InteractionSearch.Mark(requestedAt: Timestamp(clamping: at), row: row)
    }

    func page(in frame: Frame) -> HTML {
        frame.page(
            "Interactions",
            at: .interactions,
            "\(self.note)\(self.savedQueries)<div class=\"panel\">\(self.form)\(self.saving)</div><div class=\"panel\">\(self.table)\(self.pager)</div>"
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
        \(self.parameters)<label class="wide">Columns<input name="columns" value="\(self.query["columns"] ?? "")" maxlength="400" \
        placeholder="\(InteractionColumn.standard.map(\.name).joined(separator: ","))"></label>\
        <div class="actions"><button class="main">Find</button><a class="button" href="/interactions">Clear</a></div></form>
        """
    }

    /// An input for each searchable parameter.
    private var parameters: HTML {
        let chosen = self.query.all.map(\.name).filter { $0.hasPrefix(Self.parameterPrefix) }
            .map { String($0.dropFirst(Self.parameterPrefix.count)) }
        let names = self.searchable.prefix(8) + chosen.filter { !self.searchable.prefix(8).contains($0) }
        let inputs = names.map { name -> HTML in
            let field = Self.parameterPrefix + name
            return
                "<label>\(name)<input name=\"\(field)\" value=\"\(self.query[field] ?? "")\" maxlength=\"200\"></label>"
        }
        return "\(Array(inputs))"
    }

    private var savedQueries: HTML {
        guard !self.saved.isEmpty else { return "" }
        let links = self.saved.map { one -> HTML in
            "<a class=\"button\" href=\"\(Self.path(one.query))\" title=\"\(one.query.options)\">\(one.name)</a>"
        }
        return "<nav class=\"actions\" aria-label=\"Saved queries\">\(links)</nav>"
    }

    /// A form that saves the current query.
    private var saving: HTML {
        let query = Self.query(self.query)
        guard let formToken, !query.isEmpty else { return "" }
        let fields = self.query.all.filter { $0.name != "after" }
            .map { one -> HTML in "<input type=\"hidden\" name=\"\(one.name)\" value=\"\(one.value)\">" }
        return """
            <form class="filters" method="post" action="/interactions"><input type="hidden" name="form" value="\(formToken)">\
            \(fields)<label>Save this query as<input name="saveAs" required maxlength="\(SavedQueries.maximumNameLength)"></label>\
            <div class="actions"><button>Save</button></div></form>
            """
    }

    private var table: HTML {
        guard let found = self.found else { return "" }
        guard !found.interactions.isEmpty else {
            let text: HTML =
                found.isCutShort
                ? "<p>No match among the \(Format.count(InteractionSearch().scanLimit)) interactions that were searched. Search further back below.</p>"
                : self.query.all.isEmpty
                    ? "<p>No interactions yet.</p><p><code>intentd ask BookRestaurantTable</code> starts a first conversation.</p>"
                    : "<p>No interactions match.</p>"
            return "<div class=\"empty\">\(text)</div>"
        }
        if let columns { return self.table(found.interactions, columns) }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Interactions"><table class="stack"><thead><tr>\
            <th scope="col">Interaction</th><th scope="col">Intent</th><th scope="col">User</th><th scope="col">Status</th>\
            <th scope="col">Requested, UTC</th><th scope="col" class="right">Duration</th><th scope="col" class="right">Prompts</th>\
            <th scope="col" class="right">Turns</th></tr></thead><tbody>\(found.interactions.map(self.row))</tbody></table></div>
            """
    }

    /// The interactions in chosen columns; the first column leads to the interaction.
    private func table(_ interactions: [RecordedInteraction], _ columns: [InteractionColumn]) -> HTML {
        let heads = columns.map { column -> HTML in
            "<th scope=\"col\"\(column.isNumber ? " class=\"right\"" : "" as HTML)>\(column.name)</th>"
        }
        let rows = interactions.map { one -> HTML in
            let cells = columns.enumerated()
                .map { index, column -> HTML in
                    let text =
                        column.text(of: one, self.masking, self.progress[one.request]).map { Format.short($0, 80) }
                        ?? "–"
                    let shown: HTML = column == .status ? Format.pill(one, self.progress[one.request]) : "\(text)"
                    let content: HTML = index == 0 ? "<a href=\"\(Format.path(one))\">\(shown)</a>" : shown
                    return
                        "<td class=\"\(column.isNumber ? "right num" : "cut" as HTML)\" data-label=\"\(column.name)\">\(content)</td>"
                }
            return "<tr>\(cells)</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Interactions"><table class="stack"><thead><tr>\
            \(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private func row(_ one: RecordedInteraction) -> HTML {
        let id = one.interactionID?.text ?? one.request.text
        let user = one.userID?.text ?? ""
        return """
            <tr><td class="id"><a href="\(Format.path(one))" title="\(id)">\(Format.short(id, 80))</a></td>\
            <td class="cut" data-label="Intent">\(one.intent ?? "–")</td>\
            <td class="cut" data-label="User"><a href="/interactions\(Fields([("user", user)]).query)">\(Format.short(user, 80))</a></td>\
            <td data-label="Status">\(Format.pill(one, self.progress[one.request]))</td>\
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
        guard let next = self.found?.next else {
            return isFirst
                ? "" : "<div class=\"pager\">\(newest)<span class=\"soft small\">End of the list.</span></div>"
        }
        let query = self.query.with("after", "\(next.requestedAt.milliseconds).\(next.row)").query
        let text: HTML = self.found?.isCutShort == true ? "Search further back" : "Older"
        let searchedBack: HTML =
            self.found?.isCutShort == true
            ? "<span class=\"soft small\">Searched back to \(Format.time(next.requestedAt)) UTC</span>"
            : "<span></span>"
        return
            "<div class=\"pager\">\(newest)\(searchedBack)<a class=\"button\" rel=\"next\" href=\"/interactions\(query)\">\(text)</a></div>"
    }
}
