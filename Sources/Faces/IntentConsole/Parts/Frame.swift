internal import IntentKit

/// The frame around every page: the name of the deployment and the navigation.
struct Frame: Sendable {
    /// The pages of the navigation.
    enum Section: String, CaseIterable {
        case overview = ""
        case interactions
        /// The events that could not be processed.
        case deadLetters = "dead-letters"
        /// The interactions that wait for an operator.
        case waiting
        /// The intents and apps that are paused.
        case pauses
        case insight
        /// The intents that users can ask for.
        case intents
        case audit
        /// What operators did.
        case operators
        /// A new conversation.
        case talk

        var title: HTML {
            switch self {
            case .overview: "Overview"
            case .interactions: "Interactions"
            case .deadLetters: "Dead letters"
            case .waiting: "Waiting"
            case .pauses: "Pauses"
            case .insight: "Insight"
            case .intents: "Intents"
            case .audit: "Audit"
            case .operators: "Operators’ log"
            case .talk: "Talk"
            }
        }

        var shape: HTML {
            switch self {
            case .overview: Shapes.overview
            case .interactions: Shapes.list
            case .deadLetters: Shapes.letter
            case .waiting: Shapes.clock
            case .pauses: Shapes.bars
            case .insight: Shapes.funnel
            case .intents: Shapes.book
            case .audit: Shapes.shield
            case .operators: Shapes.person
            case .talk: Shapes.balloon
            }
        }
    }

    /// The pages that exist here.
    let sections: [Section]
    /// The deployment's name.
    let deployment: String
    let foot: HTML
    /// What people should know on every page; nil for nothing.
    var notice: String?

    /// A whole page.
    ///
    /// - Parameters:
    ///   - title: The title, for the tab and the heading.
    ///   - section: The current section.
    ///   - crumbs: The path to the page, above the heading.
    ///   - actions: The actions beside the heading.
    ///   - body: The page's content.
    /// - Returns: The page with its frame.
    func page(
        _ title: HTML,
        at section: Section?,
        crumbs: HTML? = nil,
        actions: HTML = "",
        _ body: HTML
    ) -> HTML {
        "\(self.opening(title, at: section, crumbs: crumbs, actions: actions))\(body)\(Self.closing)"
    }

    /// A page up to its content, with the parameters of ``page(_:at:crumbs:actions:_:)``.
    func opening(_ title: HTML, at section: Section?, crumbs: HTML? = nil, actions: HTML = "") -> HTML {
        let links = self.sections.map { one -> HTML in
            let current: HTML = one == section ? " aria-current=\"page\"" : ""
            return "<li><a href=\"/\(one.rawValue)\"\(current)>\(one.shape)<span>\(one.title)</span></a></li>"
        }
        let notice: HTML = self.notice.map { "<p class=\"note warn lines\">\($0)</p>" } ?? ""
        let breadcrumbs: HTML = crumbs.map { "<div class=\"crumbs\">\($0)</div>" } ?? ""
        return """
            \(Self.head(title))<body><a class="skip" href="#main">Skip to main content</a>\
            <header class="side"><a class="brand" href="/">\(Shapes.mark)<span>intentd</span></a>\
            <nav aria-label="Pages"><ul>\(links)</ul></nav>\
            <div class="foot"><span>Topics <code>\(self.deployment).*</code></span>\(self.foot)</div></header>\
            <main id="main"><div class="top"><div class="grow">\(breadcrumbs)<h1>\(title)</h1></div>\(actions)</div>\(notice)
            """
    }

    /// The end of every page, after its content.
    static let closing: HTML = "</main></body></html>"

    /// The rest of a page when the topic that it shows cannot be read.
    static func unreadable(_ error: any Error) -> HTML {
        let message = String(describing: error)
        return "<p class=\"note bad\" role=\"alert\">Cannot read the topic: \(message)</p>\(Self.closing)"
    }

    /// The beginning of every page.
    static func head(_ title: HTML) -> HTML {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title) · intentd</title>\
        <meta name="viewport" content="width=device-width, initial-scale=1">\
        <link rel="icon" href="\(ConsoleAsset.icon.path)" type="image/svg+xml">\
        <link rel="stylesheet" href="\(ConsoleAsset.stylesheet.path)">\
        <script src="\(ConsoleAsset.script.path)" defer></script></head>
        """
    }
}
