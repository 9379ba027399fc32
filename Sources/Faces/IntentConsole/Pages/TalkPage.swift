internal import IntentKit
internal import LocalHTTP

/// The page that begins a conversation: a form generated from an intent's parameters.
struct TalkPage {
    /// The intents, in the form of `intents --json`.
    let intents: [JSONValue]
    /// The intent that was chosen.
    let chosen: String?
    /// The secret in our own forms.
    let formToken: String
    /// The time zone that is offered.
    var timeZone = ""
    /// The input, and the id of the interaction: a form that is sent twice has the same one.
    var typed = Fields()
    /// Why it was not sent.
    var problem: String?

    /// What is missing where conversations are allowed and there is no gateway.
    static let needsGateway: HTML = """
        Conversations need a gateway. Set <code>console.gateway</code> to its URL, and <code>console.gatewayToken</code> to \
        where a token for it is, if the gateway has keys.
        """

    func page(in frame: Frame) -> HTML {
        let names = self.intents.compactMap { $0["name"]?.string }
        let options = names.map { name -> HTML in
            let mark: HTML = name == self.chosen ? " selected" : ""
            return "<option\(mark)>\(name)</option>"
        }
        let note: HTML = self.problem.map { "<p class=\"note warn\" role=\"alert\">\($0)</p>" } ?? ""
        return frame.page(
            "Talk",
            at: .talk,
            """
            <div class="panel"><form class="filters" method="get" action="/talk"><label class="wide">Intent\
            <select name="intent">\(options)</select></label><div class="actions"><button>Choose</button></div></form></div>\
            \(note)\(self.form)
            """
        )
    }

    private var form: HTML {
        guard let intent = self.intents.first(where: { $0["name"]?.string == self.chosen }), let name = self.chosen
        else {
            return "<div class=\"panel\"><div class=\"empty\"><p>Choose an intent.</p></div></div>"
        }
        let fields = (intent["parameters"]?.array ?? []).map(self.field)
        let title: HTML = intent["title"]?.string.map { "\($0)" as HTML } ?? ""
        let locked: HTML = self.typed["locked"] == nil ? "" : " checked"
        return """
            <form method="post" action="/talk" class="grid2"><input type="hidden" name="form" value="\(self.formToken)">\
            <input type="hidden" name="intent" value="\(name)">\
            <input type="hidden" name="id" value="\(self.typed["id"] ?? "")">\
            <section class="panel"><header><h2>\(name)</h2><span class="soft small">\(title)</span></header>\
            <div class="body"><p class="soft small">You are prompted for required values that are left empty.</p>\(fields)</div></section>\
            <section class="panel"><header><h2>User and device</h2></header><div class="body">\
            <label>User<input name="user" value="\(self.typed["user"] ?? "me")" required maxlength="500"></label>\
            <label>Device<input name="device" value="\(self.typed["device"] ?? "console")" maxlength="200"></label>\
            <label>Language<input name="locale" value="\(self.typed["locale"] ?? "en-US")" maxlength="20"></label>\
            <label>Time zone<input name="timeZone" value="\(self.typed["timeZone"] ?? self.timeZone)" maxlength="100"></label>\
            <label class="check"><input type="checkbox" name="locked" value="yes"\(locked)>The device is locked</label>\
            <div class="actions"><button class="main">Ask</button></div></div></section></form>
            """
    }

    private func field(_ parameter: JSONValue) -> HTML {
        let name = parameter["name"]?.string ?? "?"
        let title = parameter["title"]?.string ?? name
        let type = parameter["type"]?.string ?? "value"
        let secret: HTML = parameter["sensitive"]?.bool == true ? "password" : "text"
        let many = parameter["list"]?.bool == true ? "values separated by commas" : type
        if let values = parameter["values"]?.array, parameter["list"]?.bool != true {
            let options = values.map { value -> HTML in
                let text = Format.value(value)
                let mark: HTML = text == self.typed["p-" + name] ? " selected" : ""
                return "<option\(mark)>\(text)</option>"
            }
            return "<label>\(title)<select name=\"p-\(name)\"><option value=\"\"></option>\(options)</select></label>"
        }
        return """
            <label>\(title)<input type="\(secret)" name="p-\(name)" value="\(self.typed["p-" + name] ?? "")" \
            placeholder="\(many)" autocomplete="off" maxlength="4000"></label>
            """
    }
}
