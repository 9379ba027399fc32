internal import IntentEvents
internal import IntentKit
internal import IntentRecords

/// The interactions that follow from each other (R77), above a conversation: the one before, this one, and those after.
struct ChainDrawing {
    private let story: InteractionStory

    init(_ story: InteractionStory) { self.story = story }

    /// Nothing for an interaction that follows from none and starts none.
    var html: HTML {
        let chain = self.story.chain
        guard !chain.isEmpty else { return "" }
        let before = chain.origin.map { link -> HTML in "<li>\(self.box(link, "?"))</li>" }
        let this: HTML = "<li aria-current=\"true\"><strong>\(self.story.interaction.intent ?? "?")</strong></li>"
        let links = chain.following.map { link -> HTML in "<li>\(self.box(link, "Notification"))</li>" }
        let after: HTML = links.isEmpty ? "" : "<li><ul>\(links)</ul></li>"
        return """
            <nav class="panel" aria-label="What follows from each other"><ol class="chain">\
            \(before)\(this)\(after)</ol></nav>
            """
    }

    private func box(_ link: InteractionChain.Link, _ unknown: String) -> HTML {
        let title: HTML = "\(link.intent ?? unknown)"
        let linked = link.interaction.map { one -> HTML in "<a href=\"\(Format.path(one))\">\(title)</a>" }
        let isForAnother = link.userID != nil && link.userID != self.story.interaction.userID
        let other: HTML = isForAnother ? " <span class=\"soft small\">for \(link.userID?.text ?? "")</span>" : ""
        return "\(linked ?? title) <span class=\"soft small\">\(link.name)</span>\(other) \(Self.state(of: link))"
    }

    private static func state(of link: InteractionChain.Link) -> HTML {
        if let state = link.state { return "<span class=\"pill\">\(state)</span>" }
        if let interaction = link.interaction { return Format.pill(interaction) }
        guard let at = link.at else { return "" }
        return "<span class=\"pill wait\">at \(Format.time(at))</span>"
    }
}
