internal import IntentKit
internal import LocalHTTP

/// A user's own vocabularies, as the stage `resolve` has them now.
enum VocabularyPage {
    /// The most terms of a type that are shown: a page stays small, and the first ones are the most important.
    private static let limit = 500

    /// The page of a user up to the vocabularies, which take as long to read as the topic `state` is long.
    static func beginning(user: String, in frame: Frame) -> HTML {
        frame.opening(
            "Vocabulary",
            at: .interactions,
            crumbs: """
                <a href="/interactions">Interactions</a> / \
                <a href="/interactions\(Fields([("user", user)]).query)">\(Format.short(user, 80))</a>
                """
        )
    }

    /// The page on which a user is chosen.
    static func choosing(in frame: Frame) -> HTML {
        """
        \(frame.opening("Vocabulary", at: .interactions, crumbs: "<a href=\"/interactions\">Interactions</a>"))\
        <form method="get" action="/vocabulary" class="panel body"><label>User<input name="user" required \
        maxlength="1024" autocomplete="off"></label><div class="actions"><button class="main">Show</button></div></form>\
        \(Frame.closing)
        """
    }

    /// The rest of the page: the vocabularies by their types.
    static func rest(_ vocabularies: [VocabularyStringType: UserVocabulary]) -> HTML {
        let panels = vocabularies.sorted { $0.key.rawValue < $1.key.rawValue }.map(Self.panel)
        let body: HTML =
            panels.isEmpty
            ? "<div class=\"panel\"><div class=\"empty\"><p>This user has no vocabulary.</p></div></div>"
            : "<div class=\"flow\">\(panels)</div>"
        return body + Frame.closing
    }

    private static func panel(_ type: VocabularyStringType, _ vocabulary: UserVocabulary) -> HTML {
        let rows = vocabulary.entries.prefix(Self.limit).enumerated()
            .map { index, entry -> HTML in
                """
                <tr><td class="right num">\(index + 1)</td><td>\(Format.short(entry.spokenPhrase))</td>\
                <td>\(Format.short(entry.pronunciationHint ?? ""))</td>\
                <td class="mono">\(Format.short(entry.vocabularyIdentifier ?? ""))</td></tr>
                """
            }
        let count = vocabulary.entries.count
        let shown: HTML = count > Self.limit ? ", the first \(Self.limit) are shown" : ""
        let terms: HTML = count == 1 ? "1 term" : "\(Format.count(count)) terms\(shown)"
        return """
            <section class="panel" aria-labelledby="type-\(type.rawValue)"><header><h2 id="type-\(type.rawValue)">\
            \(type.rawValue)</h2>\
            <span class="soft small">\(terms), from \(Format.link(positionIn: vocabulary.version))</span></header>\
            <div class="scroll" tabindex="0" role="group" aria-labelledby="type-\(type.rawValue)"><table><thead><tr>\
            <th scope="col" class="right">#</th><th scope="col">Phrase</th><th scope="col">Sounds like</th>\
            <th scope="col">Identifier</th></tr></thead><tbody>\(Array(rows))</tbody></table></div></section>
            """
    }
}
