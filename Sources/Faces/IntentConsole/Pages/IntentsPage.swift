internal import IntentEvents
internal import IntentKit
internal import LocalHTTP

/// The intents that users can ask for.
struct IntentsPage {
    /// The intents, in the form of `intents --json`.
    let intents: [JSONValue]
    /// Whether one can be asked for here.
    let canTalk: Bool
    /// Whether one can be paused here.
    let canPause: Bool

    func page(in frame: Frame) -> HTML {
        let cards = self.intents.map { one -> HTML in
            let name = one["name"]?.string ?? "?"
            let title: HTML = one["title"]?.string.map { "<p class=\"soft\">\($0)</p>" } ?? ""
            let parameters = (one["parameters"]?.array ?? []).compactMap { $0["name"]?.string }
            return """
                <a class="panel card" href="/intents/\(Fields.encoded(name))"><h2>\(name)</h2>\(title)\
                <p class="small soft">\(parameters.isEmpty ? "no parameters" : Format.short(parameters.joined(separator: ", "), 140))</p>\
                <div class="actions">\(Self.tags(one))</div></a>
                """
        }
        let body: HTML =
            cards.isEmpty
            ? "<div class=\"panel empty\"><p>No intents available.</p></div>" : "<div class=\"cards\">\(cards)</div>"
        return frame.page(
            "Intents",
            at: .intents,
            actions: "<span class=\"soft small\">\(self.intents.count) intents available</span>",
            body
        )
    }

    /// The page of one intent; nil when there is none of that name.
    func page(of name: String, in frame: Frame) -> HTML? {
        guard let one = self.intents.first(where: { $0["name"]?.string == name }) else { return nil }
        let rows = (one["parameters"]?.array ?? []).map(Self.row)
        let codes = (one["codes"]?.array ?? []).compactMap(\.string)
            .map { code -> HTML in "<span class=\"tag\">\(code)</span>" }
        let talk: HTML =
            self.canTalk
            ? "<a class=\"button\" href=\"/talk\(Fields([("intent", name)]).query)\">Start a conversation</a>" : ""
        let target = Fields([("target", Pause.Target.intent(name).description)])
        let pause: HTML = self.canPause ? "<a class=\"button\" href=\"/pauses\(target.query)\">Pause</a>" : ""
        return frame.page(
            "\(name)",
            at: .intents,
            crumbs: "<a href=\"/intents\">Intents</a>",
            actions:
                "<div class=\"actions\">\(talk)\(pause)<a class=\"button\" href=\"/interactions\(Fields([("intent", name)]).query)\">Show interactions</a></div>",
            """
            <div class="panel"><dl class="facts"><div><dt>Title</dt><dd>\(one["title"]?.string ?? "–")</dd></div>\
            <div><dt>Handler</dt><dd>\(one["handler"]?["name"]?.string ?? "–"), version \(one["handler"]?["version"]?.string ?? "–")</dd></div>\
            <div><dt>Confirmation</dt><dd>\(one["confirmation"]?.string ?? "–")</dd></div>\
            <div><dt>While locked</dt><dd>\(one["restrictedWhileLocked"]?.bool == true ? "waits" : "continues")</dd></div></dl></div>\
            <section class="panel"><header><h2>Parameters</h2></header><div class="scroll" tabindex="0" role="group" \
            aria-label="Parameters"><table class="stack"><thead><tr><th scope="col">Name</th><th scope="col">Type</th>\
            <th scope="col">If missing</th><th scope="col">Values</th></tr></thead><tbody>\(rows)</tbody></table></div></section>\
            <section class="panel"><header><h2>Codes</h2></header><div class="body"><div class="actions">\(codes)</div></div></section>
            """
        )
    }

    private static func tags(_ one: JSONValue) -> HTML {
        var tags: HTML = "<span class=\"tag\">confirmed: \(one["confirmation"]?.string ?? "?")</span>"
        if one["financial"]?.bool == true { tags += " <span class=\"pill warn\">moves money or irreversible</span>" }
        if one["restrictedWhileLocked"]?.bool == true { tags += " <span class=\"pill\">waits while locked</span>" }
        return tags
    }

    private static func row(_ parameter: JSONValue) -> HTML {
        let type = parameter["type"]?.string ?? "?"
        let isList = parameter["list"]?.bool == true
        let missing =
            parameter["required"]?.bool == true
            ? "user is prompted"
            : parameter["default"].map { "default \(Format.value($0))" } ?? "omitted, or the handler decides"
        var values: [String] = []
        if let least = parameter["minimum"] { values.append("\(Format.value(least)) or more") }
        if let most = parameter["maximum"] { values.append("\(Format.value(most)) or less") }
        if let few = parameter["values"]?.array { values.append(few.map(Format.value).joined(separator: ", ")) }
        if let pattern = parameter["pattern"]?.string { values.append("matching \(pattern)") }
        let sensitive: HTML = parameter["sensitive"]?.bool == true ? " <span class=\"pill warn\">masked</span>" : ""
        return """
            <tr><td><strong>\(parameter["name"]?.string ?? "?")</strong>\(sensitive)</td>\
            <td data-label="Type">\(isList ? "list of \(type)" : type)</td><td data-label="If missing">\(missing)</td>\
            <td data-label="Values">\(values.isEmpty ? "any" : values.joined(separator: "; "))</td></tr>
            """
    }
}
