internal import IntentKit

/// A user's own vocabularies, as the stage `resolve` has them now.
struct VocabularyPage {
    /// The most terms of a type that are shown: a page stays small, and the first ones are the most important.
    private static let limit = 500

    /// The user's id.
    let user: String
    /// The vocabularies by their types.
    let vocabularies: [VocabularyStringType: UserVocabulary]

    /// The page.
    func page(in frame: Frame) -> HTML {
        let panels = self.vocabularies.sorted { $0.key.rawValue < $1.key.rawValue }.map(Self.panel)
        let body: HTML =
            panels.isEmpty
            ? "<div class=\"panel\"><div class=\"empty\"><p>This user has no vocabulary.</p></div></div>"
            : "<div class=\"flow\">\(panels)</div>"
        return frame.page(
            "Vocabulary",
            at: .interactions,
            crumbs: """
                <a href="/interactions">Interactions</a> / \
                <a href="/interactions\(Fields([("user", self.user)]).query)">\(Words.short(self.user, 80))</a>
                """,
            actions: "",
            body
        )
    }

    private static func panel(_ type: VocabularyStringType, _ vocabulary: UserVocabulary) -> HTML {
        let rows = vocabulary.entries.prefix(Self.limit).enumerated()
            .map { index, entry -> HTML in
                """
                <tr><td class="right num">\(index + 1)</td><td>\(Words.short(entry.spokenPhrase))</td>\
                <td>\(Words.short(entry.pronunciationHint ?? ""))</td>\
                <td class="mono">\(Words.short(entry.vocabularyIdentifier ?? ""))</td></tr>
                """
            }
        let count = vocabulary.entries.count
        let shown: HTML = count > Self.limit ? ", the first \(Self.limit) are shown" : ""
        let terms: HTML = count == 1 ? "1 term" : "\(Words.count(count)) terms\(shown)"
        return """
            <section class="panel" aria-labelledby="type-\(type.rawValue)"><header><h2 id="type-\(type.rawValue)">\
            \(type.rawValue)</h2><span class="soft small">\(terms), from \(Words.link(place: vocabulary.version))</span></header>\
            <div class="scroll" tabindex="0" role="group" aria-labelledby="type-\(type.rawValue)"><table><thead><tr>\
            <th scope="col" class="right">#</th><th scope="col">Phrase</th><th scope="col">Sounds like</th>\
            <th scope="col">Identifier</th></tr></thead><tbody>\(Array(rows))</tbody></table></div></section>
            """
    }
}
