/// What is around every page: the name of the deployment, the way to the other pages, where one is.
struct Frame: Sendable {
    /// A page that one can go to.
    enum Place: String, CaseIterable {
        /// How it goes.
        case overview = ""
        /// What was asked.
        case interactions
        /// What could not be processed.
        case deadLetters = "dead-letters"
        /// What can be asked.
        case intents
        /// Whether it is as it must be.
        case audit
        /// A conversation of one's own.
        case talk

        /// Its name.
        var title: HTML {
            switch self {
            case .overview: "Overview"
            case .interactions: "Interactions"
            case .deadLetters: "Dead letters"
            case .intents: "Intents"
            case .audit: "Audit"
            case .talk: "Talk"
            }
        }

        var shape: HTML {
            switch self {
            case .overview: Shapes.overview
            case .interactions: Shapes.list
            case .deadLetters: Shapes.letter
            case .intents: Shapes.book
            case .audit: Shapes.shield
            case .talk: Shapes.balloon
            }
        }
    }

    /// The pages that there are.
    let places: [Place]
    /// The deployment's name.
    let deployment: String
    /// What stands at the foot.
    let foot: HTML

    /// A whole page.
    ///
    /// - Parameters:
    ///   - title: What it is, for the tab and the heading.
    ///   - place: Where one is.
    ///   - crumbs: The way here, above the heading.
    ///   - actions: What stands beside the heading.
    ///   - body: The page.
    /// - Returns: The page with all that is around it.
    func page(
        _ title: HTML,
        at place: Place?,
        crumbs: HTML? = nil,
        actions: HTML = "",
        _ body: HTML
    ) -> HTML {
        let links = self.places.map { one -> HTML in
            let current: HTML = one == place ? " aria-current=\"page\"" : ""
            return "<li><a href=\"/\(one.rawValue)\"\(current)>\(one.shape)<span>\(one.title)</span></a></li>"
        }
        let way: HTML = crumbs.map { "<div class=\"crumbs\">\($0)</div>" } ?? ""
        return """
            \(Self.head(title))<body><a class="skip" href="#main">Skip to the page</a>\
            <header class="side"><a class="brand" href="/">\(Shapes.mark)<span>intentd</span></a>\
            <nav aria-label="Pages"><ul>\(links)</ul></nav>\
            <div class="foot"><span>Topics <code>\(self.deployment).*</code></span>\(self.foot)</div></header>\
            <main id="main"><div class="top"><div class="grow">\(way)<h1>\(title)</h1></div>\(actions)</div>\(body)</main>\
            </body></html>
            """
    }

    /// The beginning of every page.
    static func head(_ title: HTML) -> HTML {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title) · intentd</title>\
        <meta name="viewport" content="width=device-width, initial-scale=1">\
        <link rel="icon" href="\(ConsoleAsset.icon.place)" type="image/svg+xml">\
        <link rel="stylesheet" href="\(ConsoleAsset.stylesheet.place)">\
        <script src="\(ConsoleAsset.script.place)" defer></script></head>
        """
    }
}
